import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DoctorReport } from '../../src/protocol/doctor.ts';
import type { Explanation, InboxList } from '../../src/protocol/messages.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { Connection } from '../../src/store/sqlite/connection.ts';
import { openSqliteLedger } from '../../src/store/sqlite/open.ts';
import { openDaemonBox } from '../support/daemon.ts';
import { tempHome } from '../support/home.ts';
import { sweepList } from '../support/sweep.ts';
import { waitUntil } from '../support/wait-until.ts';
import { openLedger } from './fixtures/box.ts';
import { holdsSecret, leavePast, sizeOf } from './fixtures/past.ts';
import { canMount, mountSmallDisk } from './fixtures/small-disk.ts';

const serve = ['up', '--foreground'];
const past = { states: ['acked'], limit: 0 } as const;

/** Messages that were settled; only those of the past are. */
async function countPast(home: string): Promise<number> {
  const options = { clock: systemClock, lockWaitMs: 30_000 };
  const ledger = await openSqliteLedger(join(home, 'ledger.db'), options);
  try {
    return await ledger.read((tx) => tx.messages.count(past));
  } finally {
    await ledger.close();
  }
}

const log = (home: string): string => readFileSync(join(home, 'logs', 'daemon.log'), 'utf8');
const isDone = (home: string) => log(home).includes('what was past the retention is gone');

describe('the daemon keeps the retention by itself', () => {
  test('soon after its start: messages, agents and files go, the file shrinks, and no byte of a body is left', async () => {
    const box = openDaemonBox();
    const { gone, snapshot, open } = await leavePast(box.home, 600);
    const before = sizeOf(box.home);
    expect([holdsSecret(box.home), before > 4_000_000]).toEqual([true, true]);
    await box.ask('up');
    await waitUntil('the end of the round', () => isDone(box.home));
    expect(await countPast(box.home)).toBe(0);
    expect(existsSync(snapshot)).toBe(false);
    expect(holdsSecret(box.home)).toBe(false);
    expect(sizeOf(box.home)).toBeLessThan(before / 2);
    const ledger = await openLedger(box.home);
    expect(await ledger.read((tx) => tx.agents.find(gone))).toBeUndefined();
    expect((await box.explain(open)).message.state).toBe('queued');
    expect(await box.ask('doctor')).toMatchObject({ ok: true });
  });

  const places = [
    ...['prune.committed', 'prune.uncommitted', 'forget.uncommitted', 'forget.committed'],
    ...['space.uncommitted', 'space.committed', 'retention.log'],
  ];

  test.each(sweepList(places))(
    'killed at %s, it has lost nothing, and whoever comes next goes on',
    { tags: ['full'] },
    async (place) => {
      const box = openDaemonBox();
      const { open, gone, snapshot } = await leavePast(box.home, 400);
      await box.run(['up'], { env: { SIGNALBOX_FAILPOINTS: `${place}=kill` } });
      await waitUntil('the kill', () => box.daemons().length === 0);
      const left = await countPast(box.home);
      // A batch is there whole or not at all.
      if (place === 'prune.uncommitted') expect(left).toBe(400);
      else if (place === 'prune.committed') expect([left > 0, left < 400]).toEqual([true, true]);
      else expect(left).toBe(0);
      const report = await box.ask<DoctorReport>('doctor', '--fix');
      expect(report).toMatchObject({ ok: true, ledger: { canShrink: true } });
      expect(report.ledger.freeBytes).toBeLessThanOrEqual(1024 * 1024);
      expect(await countPast(box.home)).toBe(0);
      expect([existsSync(snapshot), holdsSecret(box.home)]).toEqual([false, false]);
      const ledger = await openLedger(box.home);
      expect(await ledger.read((tx) => tx.agents.find(gone))).toBeUndefined();
      expect((await box.explain(open)).message.state).toBe('queued');
    },
  );

  test('while it is at it, others send, look and explain, and what is sent is there', {
    tags: ['full'],
  }, async () => {
    const box = openDaemonBox();
    const { open } = await leavePast(box.home, 300);
    const held = await box.hold('prune.committed', serve);
    const sent = await box.ask<{ id: string }>('send', 'worker', 'meanwhile');
    expect(await box.ask('ls')).toMatchObject({
      agents: [{ name: 'user' }, { name: 'worker' }],
    });
    const told = await box.ask<Explanation>('explain', open);
    expect(told.message.state).toBe('queued');
    const drained = await box.drain('worker');
    expect(drained.messages.map(({ id }) => id)).toContain(sent.id);
    expect(await countPast(box.home)).toBeGreaterThan(100);
    void held.release();
    // And while it goes on.
    const more = Array.from({ length: 4 }, (_, i) => box.ask('send', 'worker', `more ${i}`));
    await Promise.all(more);
    expect((await box.drain('worker')).messages).toHaveLength(4);
  });

  test.each(['space.rebuild', ''])(
    'a ledger of an earlier version is written anew at the start (killed first at: %s)',
    { tags: ['full'] },
    async (place) => {
      const box = openDaemonBox();
      const { open } = await leavePast(box.home, 100);
      const db = new Connection(join(box.home, 'ledger.db'), { clock: systemClock, lockWaitMs: 0 });
      db.pragma('auto_vacuum = none');
      db.execute('vacuum');
      db.close();
      expect(await box.ask('doctor')).toMatchObject({ ledger: { canShrink: false } });
      if (place) {
        await box.run(['up'], { env: { SIGNALBOX_FAILPOINTS: `${place}=kill` } });
        await waitUntil('the kill', () => box.daemons().length === 0);
        expect(await box.ask('doctor')).toMatchObject({ ledger: { canShrink: false } });
      }
      await box.ask('up');
      expect(await box.ask('doctor')).toMatchObject({ ok: true, ledger: { canShrink: true } });
      expect((await box.explain(open)).message.state).toBe('queued');
    },
  );

  test('it ends with the daemon at once, between two batches', { tags: ['full'] }, async () => {
    const box = openDaemonBox();
    await leavePast(box.home, 600);
    const held = await box.hold('prune.committed', serve);
    held.child.kill('SIGTERM');
    const ended = await held.release();
    expect(ended.code).toBe(0);
    expect(await countPast(box.home)).toBeGreaterThan(300);
  });
});

describe.skipIf(!canMount())('on a full disk (left out where no tmpfs can be mounted)', () => {
  test('O4: a batch that cannot be written is undone; the daemon serves on, and the next one prunes', {
    tags: ['full'],
  }, async () => {
    const made = tempHome();
    await leavePast(made, 300);
    const home = tempHome();
    const wrapper = await mountSmallDisk(home, 16 * 1024);
    const box = openDaemonBox(home);
    const sh = (script: string) =>
      box.run([], { wrapper: [...wrapper, 'sh', '-c', script, home, made] });
    expect((await sh('cp -r "$1"/. "$0"')).code).toBe(0);
    const held = await box.hold('prune.uncommitted', serve, { wrapper });
    await sh('cat /dev/zero >"$0/filler"');
    void held.release();
    const run = (...args: string[]) => box.run([...args, '--json'], { wrapper });
    // It still answers, and has given up: the next try is ten minutes away.
    expect((await run('health')).code).toBe(0);
    await sh('rm "$0/filler"');
    const asked = await run('inbox', 'list', 'worker', '--state', 'acked', '--max', '1000');
    expect(asked.json<InboxList>().messages).toHaveLength(300);
    expect((await run('send', 'worker', 'with space again')).code).toBe(0);
    held.child.kill('SIGTERM');
    expect((await held.ended).code).toBe(0);
    const next = await box.hold('retention.log', serve, { wrapper });
    const { messages } = (await run('doctor')).json<DoctorReport>().ledger;
    expect(messages).toEqual({ queued: 3 });
    await next.kill();
  });
});
