import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Uninstalled } from '../../src/protocol/printed.ts';
import { readStartTime } from '../../src/shared/processes.ts';
import { isListening } from '../../src/terminals/tmux/is-listening.ts';
import { tempHome } from '../support/home.ts';
import { openPerson } from '../support/person.ts';
import { boxAt } from './fixtures/box.ts';
import { expectFault } from './fixtures/expect-fault.ts';
import { hasTmux, openStation, type Station } from './fixtures/station.ts';

/**
 * `uninstall` looks at the default folders, too: they must never be those of whoever runs tests.
 */
function ownFolders(): Record<string, string> {
  const home = tempHome();
  return {
    HOME: home,
    XDG_STATE_HOME: join(home, 'state'),
    XDG_CONFIG_HOME: join(home, 'config'),
  };
}

interface Opened {
  readonly station: Station;
  readonly env: Record<string, string>;
  /** The agent's process, its daemon and its tmux server. */
  readonly lives: () => readonly (string | undefined)[];
  readonly pids: { agent: number; daemon: number; tmux: number };
}

/** A station in which an agent lives. */
async function openLiving(): Promise<Opened> {
  const station = await openStation();
  await station.launch('worker');
  const pids = {
    agent: await station.pid('worker'),
    daemon: station.daemon().pid,
    tmux: Number(await station.tmux('display-message', '-p', '#{pid}')),
  };
  const began = Object.values(pids).map(readStartTime);
  return {
    station,
    pids,
    env: ownFolders(),
    lives: () =>
      Object.entries(pids).map(([name, pid], i) =>
        readStartTime(pid) === began[i] ? name : undefined,
      ),
  };
}

const nothing = [undefined, undefined, undefined];

describe.skipIf(!hasTmux)('uninstall', () => {
  test('lists what lives and asks; no changes nothing, yes ends agents, daemon and tmux server and keeps the ledger', async () => {
    const { station, env, lives, pids } = await openLiving();
    const person = await openPerson(station.home);
    const no = await person.type(['uninstall'], ['n'], { env });
    expect(no.code).toBe(1);
    expect(no.screen).toContain(
      `${station.home}\n  the agent worker\n  a daemon (pid ${pids.daemon},`,
    );
    expect(no.screen).toContain(`  a tmux server (pid ${pids.tmux})\nEnd all of it? [y/N] n`);
    expect(no.screen).toContain('nothing was done');
    expect(lives()).toEqual(['agent', 'daemon', 'tmux']);
    const yes = await person.type(['uninstall'], ['y'], { env });
    expect(yes.code).toBe(0);
    expect(yes.screen).toContain('ended 1 agent, the daemon, the tmux server');
    expect(yes.screen).toContain('npm uninstall -g signalbox');
    expect(lives()).toEqual(nothing);
    expect(existsSync(join(station.home, 'ledger.db'))).toBe(true);
    // It was stopped by a person: a later `restart --all` leaves it alone.
    const { skipped } = (await station.run(['restart', '--all', '--json'])).json<{
      skipped: [{ why: string }];
    }>();
    expect(skipped.map(({ why }) => why)).toEqual(['it was stopped']);
  });

  test('a script must say --yes, and an agent may not at all: nothing is touched', async () => {
    const { station, env, lives } = await openLiving();
    const script = await station.run(['uninstall', '--json'], { env });
    expectFault(script, 5, 'not-allowed', /no terminal on which signalbox could ask/);
    for (const agent of [{ SIGNALBOX_AGENT: 'worker' }, { SIGNALBOX_TOKEN: 'tok_1' }]) {
      const refused = await station.run(['uninstall', '--yes', '--json'], {
        env: { ...env, ...agent },
      });
      expectFault(refused, 5, 'not-allowed', /Only the user may uninstall/);
    }
    expect(lives()).toEqual(['agent', 'daemon', 'tmux']);
  });

  test('--purge removes what is ours and nothing else; the default home is ended beside this one', async () => {
    const { station, env, lives } = await openLiving();
    const usual = join(env['XDG_STATE_HOME'] ?? '', 'signalbox');
    const other = boxAt(usual);
    await other.run(['agents', 'add', 'puller']);
    await other.run(['up'], { env: { ...env, SIGNALBOX_HOME: '' } });
    writeFileSync(join(station.home, 'thesis.txt'), 'mine');
    mkdirSync(join(station.home, 'worktrees', 'shop-worker'), { recursive: true });
    // Folders of our names that hold somebody else's files, too.
    mkdirSync(join(station.home, 'profiles'));
    writeFileSync(join(station.home, 'profiles', 'pictures.png'), 'mine');
    writeFileSync(join(station.home, 'logs', 'ship.log'), 'mine');
    const ended = await station.run(['uninstall', '--purge', '--yes', '--json'], { env });
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    const { homes } = ended.json<Uninstalled>();
    expect(homes.map(({ state, daemon }) => [state, daemon])).toEqual([
      [station.home, 'stopped'],
      [usual, 'stopped'],
    ]);
    expect(lives()).toEqual(nothing);
    const left = readdirSync(station.home).toSorted();
    // The scripted agents of the test have their sockets there.
    expect(left.filter((name) => !name.endsWith('.control'))).toEqual([
      ...['logs', 'profiles', 'thesis.txt', 'worktrees'],
    ]);
    expect(readdirSync(join(station.home, 'logs'))).toEqual(['ship.log']);
    expect(homes[0]?.kept?.map(({ path }) => path)).toEqual([
      ...['profiles', 'logs', 'worktrees'].map((name) => join(station.home, name)),
      station.home,
    ]);
    const kept = homes[0]?.kept?.find(({ path }) => path.endsWith('/logs'));
    expect(kept?.why).toBe("it has what is not signalbox's: ship.log");
    expect(existsSync(usual)).toBe(false);
    const again = await station.run(['uninstall', '--purge', '--yes', '--json'], { env });
    expect(again.json<Uninstalled>().homes).toEqual([]);
    expect(readFileSync(join(station.home, 'thesis.txt'), 'utf8')).toBe('mine');
  });

  test('a daemon that does not answer is killed, and its agents end all the same', {
    tags: ['full'],
  }, async () => {
    const { station, env, lives, pids } = await openLiving();
    process.kill(pids.daemon, 'SIGSTOP');
    const ended = await station.run(['uninstall', '--yes', '--json'], { env });
    expect(ended.code).toBe(0);
    expect(ended.json<Uninstalled>().homes).toMatchObject([{ daemon: 'killed', tmux: 'stopped' }]);
    expect(lives()).toEqual(nothing);
    expect((await station.agent('worker')).status).toBe('exited');
  });

  test('a tmux server that is stopped, or whose socket is gone, is ended', {
    tags: ['full'],
  }, async () => {
    for (const harm of ['SIGSTOP', 'socket'] as const) {
      const { station, env, lives, pids } = await openLiving();
      const socket = join(station.home, 'tmux.sock');
      if (harm === 'SIGSTOP') process.kill(pids.tmux, 'SIGSTOP');
      else rmSync(socket);
      const ended = await station.run(['uninstall', '--yes', '--purge', '--json'], { env });
      expect([ended.code, ended.stderr]).toEqual([0, '']);
      expect(lives()).toEqual(nothing);
      expect(await isListening({ socket })).toBe(false);
    }
  });

  test('killed at any of its steps, it is run again and ends the rest', {
    tags: ['full'],
  }, async () => {
    for (const place of ['stopped', 'down', 'ended', 'purging']) {
      const { station, env, lives } = await openLiving();
      const args = ['uninstall', '--yes', '--purge', '--json'];
      const held = await station.hold(`uninstall.${place}`, args, { env });
      await held.kill();
      const again = await station.run(args, { env });
      expect([place, again.code, again.stderr]).toEqual([place, 0, '']);
      expect(lives()).toEqual(nothing);
      expect(existsSync(join(station.home, 'ledger.db'))).toBe(false);
    }
  });

  test('--purge removes no ledger on which somebody has started a daemon since', {
    tags: ['full'],
  }, async () => {
    const { station, env } = await openLiving();
    const args = ['uninstall', '--yes', '--purge', '--json'];
    const held = await station.hold('uninstall.ended', args, { env });
    await station.run(['up']);
    const { pid } = station.daemon();
    const ended = await held.release();
    expect(ended.stdout).toContain('a daemon has been started here since');
    expect(existsSync(join(station.home, 'ledger.db'))).toBe(true);
    expect(station.daemon().pid).toBe(pid);
    const again = await station.run(args, { env });
    expect([again.code, existsSync(join(station.home, 'ledger.db'))]).toEqual([0, false]);
  });
});

describe('a folder that is not ours', () => {
  test('where signalbox was never used nothing is touched, whatever lies there', async () => {
    const home = tempHome();
    mkdirSync(join(home, 'logs'));
    writeFileSync(join(home, 'config.yaml'), 'theirs: true');
    const ended = await boxAt(home).run(['uninstall', '--purge', '--yes', '--json'], {
      env: ownFolders(),
    });
    expect(ended.json<Uninstalled>()).toMatchObject({ ended: true, homes: [] });
    expect(readdirSync(home).toSorted()).toEqual(['config.yaml', 'logs']);
  });

  test.each([
    ['that another program has its database in', 'ledger-foreign'],
    ['that others can change', 'folder-exposed'],
  ])('one %s is named and left as it is', { tags: ['full'] }, async (_what, code) => {
    const home = tempHome();
    if (code === 'folder-exposed') {
      await boxAt(home).run(['agents', 'add', 'worker']);
      chmodSync(home, 0o777);
    } else {
      const { default: Sqlite } = await import('better-sqlite3');
      const db = new Sqlite(join(home, 'ledger.db'));
      db.exec('create table theirs (one)');
      db.close();
    }
    const before = readdirSync(home);
    const ended = await boxAt(home).run(['uninstall', '--purge', '--yes', '--json'], {
      env: ownFolders(),
    });
    expect(ended.code).not.toBe(0);
    expect(ended.stdout).toContain(code);
    expect(readdirSync(home)).toEqual(before);
  });
});
