import { expect } from 'vitest';
import { loseSight, recordInjected } from '../../src/delivery/claim.ts';
import type { OnRecord } from '../../src/delivery/on-record.ts';
import { prove } from '../../src/delivery/prove.ts';
import { resolve } from '../../src/delivery/resolve.ts';
import { takeOut } from '../../src/delivery/take-out.ts';
import { endTurn, type TurnStop } from '../../src/fleet/end-turn.ts';
import { beginEpoch, endEpoch } from '../../src/fleet/epochs.ts';
import type { Claim } from '../../src/messages/claim.ts';
import { contract, type World } from './world.ts';

async function give(world: World) {
  const child = await world.add('worker');
  await world.ledger.write((tx) => beginEpoch(tx, child.id));
  await beginLife(world, child.id, 1, 's1');
  const task = await world.send(child, { kind: 'task' });
  const { claim } = await world.take(child, 'native', { epoch: 1 });
  await world.ledger.write((tx) => recordInjected(tx, world.clock.now(), claim.token, 'in'));
  return { child, task, claim, ...hear(world, child.id, task.id) };
}

function hear({ ledger, clock }: World, child: string, task: string) {
  const stop = (id: string, more: Partial<TurnStop> = {}) => {
    const turn = { session: 's1', outcome: 'completed', text: 'Something else.' } as const;
    return endTurn(ledger, clock, { child, epoch: 1, id, ...turn, ...more });
  };
  const end = async () => (await ledger.read((tx) => tx.debts.find(task)))?.end;
  return { stop, end };
}

/** As `give`, but nobody knows whether it was sent. */
async function giveUnsure(world: World) {
  const child = await world.add('worker');
  await world.ledger.write((tx) => beginEpoch(tx, child.id));
  await beginLife(world, child.id, 1, 's1');
  const task = await world.send(child, { kind: 'task' });
  const { claim } = await world.take(child, 'paste', { epoch: 1 });
  const why = { code: 'lost-sight', cause: 'Enter did not send what was pasted' } as const;
  await world.ledger.write((tx) => loseSight(tx, world.clock.now(), claim, why));
  return { child, task, claim, ...hear(world, child.id, task.id) };
}

async function beginLife(world: World, agent: string, epoch: number, conversation: string) {
  const rest = {
    backend: 'fake',
    provider: 'fake',
    argv: [],
    extraArgs: [],
    tokenHash: `${agent}-${epoch}`,
  };
  const startedAt = world.clock.now();
  await world.ledger.write((tx) =>
    tx.epochs.insert({ ...rest, agent, epoch, conversation, startedAt }),
  );
}

/** The CLI's records show it in a conversation. */
function isIn({ token }: Claim): OnRecord {
  return { in: new Set([token]), out: new Set() };
}

contract('tasks that left the conversation again', (check) => {
  check(
    'rules 9, 27: a task that was taken out and is on its way again is not answered by a turn in between',
    async (world) => {
      const { child, task, claim, stop, end } = await give(world);
      await stop('t1', { outcome: 'failed', text: '' });
      await world.ledger.write((tx) =>
        takeOut(tx, world.clock.now(), claim, { because: 'failed', evidence: 'gone' }),
      );
      const again = await world.take(child, 'native', { epoch: 1 });
      await world.ledger.write((tx) =>
        recordInjected(tx, world.clock.now(), again.claim.token, 'in'),
      );
      // It stands in the CLI's own queue, behind this turn, which says what it held.
      await stop('t2', { stop: 1, held: [] });
      expect(await end()).toBeUndefined();
      await stop('t3', { stop: 1, held: [again.claim.mark], text: 'The answer.' });
      expect(await end()).toBe('answered');
      expect(await world.state(task.id)).toBe('acked');
    },
  );

  check(
    'rules 27, 30: a task whose Enter was taken late is answered by the turn that held it, by the records',
    async (world) => {
      const { task, claim, stop, end } = await giveUnsure(world);
      expect(await world.state(task.id)).toBe('uncertain');
      await stop('t1', { text: 'The answer.', onRecord: isIn(claim) });
      expect(await end()).toBe('answered');
      expect(await world.state(task.id)).toBe('acked');
    },
  );

  check(
    'rules 27, 41: without a record of it, or while the CLI only queues it, a turn answers no uncertain task',
    async (world) => {
      const { task, claim, stop, end } = await giveUnsure(world);
      await stop('t1');
      await stop('t2', { onRecord: { in: new Set(), out: new Set() } });
      await stop('t3', { onRecord: { in: new Set(), out: new Set([claim.token]) } });
      // Nor one that ended before it was given; and what was claimed since is of a later turn.
      await stop('t4', { onRecord: isIn(claim), among: [] });
      expect(await end()).toBeUndefined();
      expect(await world.state(task.id)).toBe('uncertain');
    },
  );

  check(
    'rule 26: what a stand-in took for its own is answered by the turn that held it, and by no other',
    async (world) => {
      const { claim, stop, end } = await give(world);
      await stop('1', { session: 'epoch-1', outcome: 'unknown', text: '' });
      // Two ends of the authority's come late, the other one first.
      await stop('t0', { stop: 1, held: [], text: 'Before it.' });
      expect(await end()).toBeUndefined();
      await stop('t1', { stop: 1, held: [claim.mark], outcome: 'interrupted', text: '' });
      await stop('t2', { stop: 1, held: [], text: 'The answer.', onRecord: isIn(claim) });
      expect(await end()).toBe('answered');
    },
  );

  check(
    'rules 26, 30: words that were said while others were waited for answer nothing, however late they are told',
    async (world) => {
      const { child, stop, end } = await give(world);
      const below = await world.add('below');
      const given = await world.send(below, { kind: 'task', from: child.id });
      world.clock.pass(1000);
      const endedAt = world.clock.now();
      world.clock.pass(1000);
      // Nobody listened when its turn ended; meanwhile the others have answered.
      await world.send(child, { from: below.id, replyTo: [given.id] });
      await stop('t1', { text: 'I wait for below.', endedAt });
      expect(await end()).toBeUndefined();
      // And what the next turn gives away does not count for this one.
      world.clock.pass(1000);
      const answeredAt = world.clock.now();
      world.clock.pass(1000);
      await world.send(below, { kind: 'task', from: child.id });
      await stop('t2', { text: 'The answer.', endedAt: answeredAt });
      expect(await end()).toBe('answered');
    },
  );

  check(
    'rules 26, 27: a task that was proven not landed is not answered by a turn that never held it',
    async (world) => {
      const { task, stop, end } = await give(world);
      // A hook was answered, and the turn that ended next failed: the task seemed to be in it.
      await stop('t1', { outcome: 'failed', text: '' });
      const message = await world.message(task.id);
      await world.ledger.write((tx) => resolve(tx, world.clock.now(), message, 'absent', 'none'));
      expect(await world.state(task.id)).toBe('queued');
      await stop('t2');
      expect(await end()).toBeUndefined();
      expect(await world.state(task.id)).toBe('queued');
    },
  );

  check(
    'rules 9, 27: a task that an interruption took out of the conversation is not answered by the next turn there',
    async (world) => {
      const { task, claim, stop, end } = await give(world);
      await stop('t1', { outcome: 'interrupted', text: '' });
      await world.ledger.write((tx) =>
        takeOut(tx, world.clock.now(), claim, { because: 'interrupted', evidence: 'Esc' }),
      );
      expect(await world.state(task.id)).toBe('queued');
      await stop('t2');
      expect(await end()).toBeUndefined();
    },
  );

  check(
    'rules 27, 37: a task that an earlier life read is not answered from a conversation begun since',
    async (world) => {
      const { child, claim, stop, end } = await give(world);
      await world.ledger.write((tx) =>
        prove(tx, world.clock.now(), { mark: claim.mark, evidence: '' }),
      );
      await world.ledger.write(async (tx) => {
        await endEpoch(tx, world.clock.now(), child.id);
        await beginEpoch(tx, child.id);
      });
      await beginLife(world, child.id, 2, 's2');
      await stop('t2', { epoch: 2, session: 's2', onRecord: isIn(claim) });
      expect(await end()).toBeUndefined();
      // Its conversation is known as well where a turn's end without a name was told of it.
      await stop('exit', { session: 'epoch-1', outcome: 'exited', text: 'Its process ended.' });
      await stop('t2b', { epoch: 2, session: 's2', onRecord: isIn(claim) });
      expect(await end()).toBeUndefined();
      // A person goes back to it with /resume.
      await stop('t3', { epoch: 2, text: 'The answer.', onRecord: isIn(claim) });
      expect(await end()).toBe('answered');
    },
  );
});
