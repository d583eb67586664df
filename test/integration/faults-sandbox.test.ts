import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { program } from '../support/cli.ts';
import { openBox } from './fixtures/box.ts';
import { hasTmux, openStation } from './fixtures/station.ts';

/**
 * A pid namespace of its own that still shows the outer one's /proc: pids in there name strangers.
 */
const sandbox = ['unshare', '--user', '--map-root-user', '--pid', '--fork'];
const canUnshare = spawnSync(sandbox[0] ?? '', [...sandbox.slice(1), 'true']).status === 0;

test.skipIf(!canUnshare)(
  'rules 2, 16, O9: in a sandbox without its own /proc, a killed drain is found out by its lease (left out where unshare is not allowed)',
  async () => {
    const box = await openBox('worker');
    const id = await box.send('worker', 'x');
    const env = { SIGNALBOX_FAILPOINTS: 'drain.injected=kill', SIGNALBOX_AGENT: 'worker' };
    const script = `"$0" "$1" inbox drain; env -u SIGNALBOX_FAILPOINTS "$0" "$1" inbox list --json`;
    const ended = spawnSync(
      sandbox[0] ?? '',
      [...sandbox.slice(1), 'bash', '-c', script, process.execPath, program],
      { env: { ...process.env, SIGNALBOX_HOME: box.home, ...env }, encoding: 'utf8' },
    );
    // Nobody in there can see whether the holder lives, so nobody says that it does.
    expect(ended.stdout).toContain('"state":"injected"');
    const { default: Sqlite } = await import('better-sqlite3');
    const ledger = new Sqlite(`${box.home}/ledger.db`);
    expect(ledger.prepare('select pid_space from claims').get()).toMatchObject({
      pid_space: expect.stringMatching(/^unseen_/),
    });
    ledger.exec('update claims set taken_at_ms = taken_at_ms - lease_ms');
    ledger.close();
    const { messages } = await box.drain('worker');
    expect(messages).toMatchObject([{ id, repeat: true }]);
  },
);

test('promise 1: a ledger is opened with synchronous = full, in WAL mode', async () => {
  const { systemClock } = await import('../../src/shared/clock.ts');
  const { Connection } = await import('../../src/store/sqlite/connection.ts');
  const box = await openBox('worker');
  const options = { clock: systemClock, lockWaitMs: 1000 };
  const connection = new Connection(`${box.home}/ledger.db`, options);
  await connection.configure();
  expect([connection.pragma('synchronous'), connection.pragma('journal_mode')]).toEqual([2, 'wal']);
  connection.close();
});

const inner = [...sandbox, '--mount-proc'];
const canMount = spawnSync(inner[0] ?? '', [...inner.slice(1), 'true']).status === 0;

test.skipIf(!canMount || !hasTmux)(
  'B4: a daemon that a command starts in a sandbox ends no agent (left out where unshare is not allowed)',
  { tags: ['full'] },
  async () => {
    const station = await openStation();
    await station.launch('worker');
    const pid = await station.pid('worker');
    await station.killDaemon();
    const tried = spawnSync(inner[0] ?? '', [...inner.slice(1), process.execPath, program, 'up'], {
      env: { ...process.env, SIGNALBOX_HOME: station.home },
      encoding: 'utf8',
    });
    expect(tried.stderr).toContain('another pid namespace');
    expect(tried.status).toBe(6);
    expect((await station.untilStatus('worker', 'idle')).epoch).toBe(1);
    expect(await station.pid('worker')).toBe(pid);
  },
);
