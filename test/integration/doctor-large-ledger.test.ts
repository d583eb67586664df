import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DoctorReport } from '../../src/protocol/doctor.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { Connection } from '../../src/store/sqlite/connection.ts';
import { openBox, openLedger } from './fixtures/box.ts';

test('doctor --fix writes a large ledger of an earlier version anew only while no agent runs, and says what to do', {
  tags: ['full'],
}, async () => {
  const box = await openBox('worker');
  const ledger = await openLedger(box.home);
  const agent = await ledger.read(async (tx) => (await tx.agents.listByName('worker'))[0]);
  const life = { agent: agent?.id ?? '', epoch: 1, backend: 'tmux', provider: 'generic' };
  const none = { argv: [], extraArgs: [], tokenHash: 'x' };
  await ledger.write((tx) => tx.epochs.insert({ ...life, ...none, startedAt: systemClock.now() }));
  // As of a version before this; what fills it is of no matter.
  const db = new Connection(join(box.home, 'ledger.db'), { clock: systemClock, lockWaitMs: 0 });
  db.pragma('auto_vacuum = none');
  db.execute('vacuum');
  db.execute('create table ballast as select zeroblob(70 * 1024 * 1024) as bytes');
  db.close();
  const beside = await box.ask<DoctorReport>('doctor', '--fix');
  expect(beside.ledger.canShrink).toBe(false);
  expect(beside.fixed).toEqual([
    expect.stringMatching(/not written anew: more than 64MiB .*agents run.*signalbox stop/),
  ]);
  await ledger.write((tx) =>
    tx.epochs.end(life.agent, 1, { at: systemClock.now(), cause: 'exited' }),
  );
  const alone = await box.ask<DoctorReport>('doctor', '--fix');
  expect([alone.ledger.canShrink, alone.fixed]).toEqual([true, []]);
});
