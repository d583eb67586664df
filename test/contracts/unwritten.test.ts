import { describe, expect, test } from 'vitest';
import { userAgentId } from '../../src/agents/agent.ts';
import { findRest } from '../../src/agents/rests-by-choice.ts';
import { accept } from '../../src/delivery/accept.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { Fault } from '../../src/shared/fault.ts';
import { listTree } from '../../src/shared/process-tree.ts';
import { readStartTime } from '../../src/shared/processes.ts';
import { noteDone, UnwrittenFault } from '../../src/shared/unwritten.ts';
import type { LedgerTransaction } from '../../src/store/ledger.ts';
import { MemoryLedger } from '../../src/store/memory/ledger.ts';
import { sweepList } from '../support/sweep.ts';
import { env, openWorld, pidOf, status, until } from './fleet-world.ts';

const nothing = 'Nothing was accepted or changed.';
const why = 'The ledger could not be written: the disk is full.';

/** Takes so many writes more, then none, as on a full disk. */
class FullLedger extends MemoryLedger {
  room = Number.POSITIVE_INFINITY;

  override write<T>(work: (tx: LedgerTransaction) => Promise<T>): Promise<T> {
    if (this.room-- > 0) return super.write(work);
    const words = { why, unchanged: nothing, remedy: 'Free some space', next: 'Try again.' };
    return Promise.reject(new UnwrittenFault('ledger-unwritable', words));
  }
}

/** Also more writes than any of the verbs makes. */
const places = sweepList(
  Array.from({ length: 12 }, (_, index) => index),
  7,
);

async function openFull() {
  const ledger = new FullLedger();
  const world = await openWorld({ ledger });
  const agent = await world.launch('worker');
  const pid = pidOf(world.backend, agent.id);
  const draft = { kind: 'message', from: userAgentId, to: agent.id, body: 'x' } as const;
  await accept(ledger, systemClock, [draft]);
  const life = () => ledger.read((tx) => tx.epochs.find(agent.id, 1));
  const heal = async () => {
    ledger.room = Number.POSITIVE_INFINITY;
    world.fleet.onChanged('fake');
    await until(async () => (await life())?.endedAt !== undefined);
  };
  return { ...world, ledger, agent, pid, life, heal };
}

function isAlive(pid: number): boolean {
  return readStartTime(pid) !== undefined;
}

async function failed(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return error.message;
  }
}

describe('O4: on a disk that is full after so many writes, the answer says what happened:', () => {
  test.each(places)('stop, %i writes', async (room) => {
    const { fleet, ledger, agent, pid, life, heal } = await openFull();
    ledger.room = room;
    const said = await failed(fleet.stop(agent.id, 'person'));
    expect(isAlive(pid)).toBe(said?.includes(nothing) ?? false);
    if (room === 0) expect(isAlive(pid)).toBe(true);
    if (isAlive(pid)) return;
    if (said !== undefined) expect(said).toMatch(/^"worker" was ended, .* daemon records it/);
    // Recorded as the stop that it was, so that `restart --all` leaves it alone.
    await heal();
    expect(findRest(await life())).toBe('it was stopped');
  });

  test.each(places)('restart, %i writes', async (room) => {
    const { fleet, ledger, agent, pid, life, heal } = await openFull();
    ledger.room = room;
    const wish = { fresh: false, callerAgent: undefined, callerEnv: env() };
    const said = await failed(fleet.restart(agent.id, wish));
    if (said === undefined) return expect(isAlive(pid)).toBe(false);
    expect(isAlive(pid)).toBe(said.includes(nothing));
    if (isAlive(pid)) return;
    expect(said).toMatch(/^"worker" was ended.* not (be )?started again/);
    expect(listTree(undefined, [`SIGNALBOX_AGENT=${agent.id}`])).toEqual([]);
    // Nobody wanted it to stay down.
    await heal();
    expect(findRest(await life())).toBeUndefined();
    expect(await failed(fleet.restart(agent.id, wish))).toBeUndefined();
  });

  test.each(places)('rm, %i writes', async (room) => {
    const { fleet, ledger, agent, pid } = await openFull();
    ledger.room = room;
    let troubles: readonly string[] = [];
    const removing = fleet.remove(agent.id, { isByUser: true }).then((removed) => {
      troubles = removed.troubles;
    });
    const said = await failed(removing);
    const { row, open } = await ledger.read(async (tx) => ({
      row: await tx.agents.find(agent.id),
      open: (await tx.agents.listUnsettled()).length,
    }));
    expect(isAlive(pid)).toBe(said?.includes(nothing) ?? false);
    expect(row?.removedAt === undefined).toBe(said !== undefined);
    if (said === undefined) expect(troubles.length).toBe(open);
    else if (!isAlive(pid)) expect(said).toMatch(/^"worker" was ended.* not removed/);
  });

  test.each(places)('launch, %i writes', async (room) => {
    const ledger = new FullLedger();
    const world = await openWorld({ ledger });
    ledger.room = room;
    const message = { from: userAgentId, body: 'first' };
    const said = await failed(world.launch('worker', { message }));
    const [found] = await ledger.read((tx) => tx.agents.listByName('worker'));
    if (said === undefined) return expect(found).toBeDefined();
    expect(
      [...world.backend.sights.values()].filter(({ terminal }) => isAlive(terminal.pid)),
    ).toEqual([]);
    expect(said.includes('still in the ledger under its name')).toBe(found !== undefined);
    expect(said.includes(nothing)).toBe(room === 0);
    if (!found) return;
    // It can be removed when there is room, whoever comes first.
    ledger.room = Number.POSITIVE_INFINITY;
    await failed(world.fleet.remove(found.id, { isByUser: true }));
    await until(
      async () => (await ledger.read((tx) => tx.agents.listByName('worker'))).length === 0,
    );
  });
});

test('a life whose end was noted and that goes on all the same is not ending any more', async () => {
  const { fleet, backend, ledger, agent, life } = await openFull();
  // As if we had died between the note and the end of its processes.
  const terminal = JSON.parse((await life())?.terminal ?? '{}') as object;
  const noted = JSON.stringify({ ...terminal, ending: 'stopped' });
  await ledger.write((tx) => tx.epochs.setTerminal(agent.id, 1, noted));
  fleet.onChanged('fake');
  await until(async () => (await life())?.terminal?.includes('ending') === false);
  backend.die(agent.id, 3);
  fleet.onChanged('fake');
  await until(async () => (await status(ledger, agent.id)) === 'exited');
  expect((await life())?.endCause).toBe('exit');
});

test('what was done is said before why it could not be recorded; other errors pass as they are', async () => {
  const fault = new UnwrittenFault('ledger-busy', {
    ...{ why: 'It is locked.', unchanged: 'Nothing was written.' },
    ...{ remedy: 'Look for it', next: 'Try again.' },
  });
  expect(fault.message).toBe('It is locked. Nothing was written.');
  await expect(noteDone('It ended.', () => Promise.reject(fault))).rejects.toMatchObject({
    code: 'ledger-busy',
    message: 'It ended. It is locked.',
    next: 'Look for it, then run the command again.',
  });
  const other = new Fault('usage', 'No.', 'Do.');
  await expect(noteDone('It ended.', () => Promise.reject(other))).rejects.toBe(other);
});
