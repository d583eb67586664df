import { expect } from 'vitest';
import type { Agent } from '../../src/agents/agent.ts';
import { claim, recordInjected } from '../../src/delivery/claim.ts';
import { handOut } from '../../src/delivery/hand-out.ts';
import type { OnRecord } from '../../src/delivery/on-record.ts';
import { prove } from '../../src/delivery/prove.ts';
import { insertReminder } from '../../src/delivery/remind-debtor.ts';
import { endTurn, type TurnStop } from '../../src/fleet/end-turn.ts';
import { beginEpoch, endEpoch } from '../../src/fleet/epochs.ts';
import { keepConversation } from '../../src/fleet/keep-conversation.ts';
import type { Claim } from '../../src/messages/claim.ts';
import { contract, type World } from './world.ts';

const nothing: OnRecord = { in: new Set(), out: new Set() };

/** A worker in conversation `s1`. */
async function open(world: World) {
  const child = await world.add('worker');
  await world.ledger.write((tx) => beginEpoch(tx, child.id));
  const life = { backend: 'fake', provider: 'fake', argv: [], extraArgs: [], tokenHash: 'hash' };
  const startedAt = world.clock.now();
  await world.ledger.write((tx) =>
    tx.epochs.insert({ ...life, agent: child.id, epoch: 1, conversation: 's1', startedAt }),
  );
  const stop = (id: string, more: Partial<TurnStop> = {}) => {
    world.clock.pass(1000);
    const turn = { session: 's1', outcome: 'completed', text: `words of ${id}` } as const;
    return endTurn(world.ledger, world.clock, { child: child.id, epoch: 1, id, ...turn, ...more });
  };
  const end = async (task: string) => (await world.ledger.read((tx) => tx.debts.find(task)))?.end;
  const leave = () => {
    world.clock.pass(1000);
    const learned = { conversation: 's2', leftAt: world.clock.now() };
    return keepConversation(world.ledger, world.clock, { agent: child.id, epoch: 1 }, learned);
  };
  return { child, stop, end, leave };
}

/** All that waits goes in. */
async function enter(world: World, child: Agent, how: { provable: boolean; behind?: boolean }) {
  world.clock.pass(1000);
  const bounds = { count: 100, bytes: 100_000, isBehindTurn: how.behind ?? false };
  const wish = { recipient: child.id, route: 'native', epoch: 1, provable: how.provable } as const;
  return world.ledger.write(async (tx): Promise<Claim> => {
    const taken = await claim(tx, world.here, { ...wish, ...bounds });
    if (taken.outcome !== 'claimed') throw new Error(taken.outcome);
    await recordInjected(tx, world.clock.now(), taken.claim.token, 'in');
    return taken.claim;
  });
}

contract('which turn a task belongs to', (check) => {
  check(
    'rules 26, 27: a task that was acked by its own answer is not what the next turn was given',
    async (world) => {
      const { child, stop, end } = await open(world);
      const older = await world.send(child, { kind: 'task' });
      await enter(world, child, { provable: false });
      await stop('t1', { outcome: 'failed', text: '' });
      // Behind a turn, on a route without proof: nobody can say which turn holds it.
      const newer = await world.send(child, { kind: 'task' });
      await enter(world, child, { provable: false, behind: true });
      await world.ledger.write(async (tx) => {
        const debt = await tx.debts.find(newer.id);
        if (debt) await insertReminder(tx, world.clock.now(), debt, nothing);
      });
      await enter(world, child, { provable: false });
      await stop('t2');
      expect([await end(older.id), await end(newer.id)]).toEqual([undefined, 'answered']);
      await stop('t3');
      expect(await end(older.id)).toBe('answered');
    },
  );

  for (const isPrinted of [false, true]) {
    const becomes = isPrinted
      ? 'answered once it was printed'
      : 'not answered before it is printed';
    check(`rules 16, 26: a task that a command of the agent took is ${becomes}`, async (world) => {
      const { child, stop, end } = await open(world);
      const task = await world.send(child, { kind: 'task' });
      const request = { recipient: child.id, epoch: 1, max: undefined, by: 'it' };
      const dying = world.process();
      const handed = await handOut(world.ledger, dying, { ...request, isInTerminal: true });
      if (isPrinted) await handed.finish();
      // No daemon runs that would find the command dead.
      await stop('t1');
      expect(await end(task.id)).toBe(isPrinted ? 'answered' : undefined);
    });
  }

  check(
    'rule 27: a task whose turn ended unheard is not answered from a conversation begun since',
    async (world) => {
      const { child, stop, end, leave } = await open(world);
      const task = await world.send(child, { kind: 'task' });
      const { mark } = await enter(world, child, { provable: true });
      await leave();
      await world.ledger.write((tx) => prove(tx, world.clock.now(), { mark, evidence: '' }));
      await stop('t1', { session: 's2' });
      expect(await end(task.id)).toBeUndefined();
    },
  );

  check('rule 27: nor is one whose turn a stand-in told without its name', async (world) => {
    const { child, stop, end, leave } = await open(world);
    const task = await world.send(child, { kind: 'task' });
    const { token } = await enter(world, child, { provable: true });
    await stop('1', { session: 'epoch-1', outcome: 'interrupted', text: '' });
    const onRecord = { in: new Set([token]), out: new Set<number>() };
    await leave();
    await stop('t1', { session: 's2', onRecord });
    expect(await end(task.id)).toBeUndefined();
  });

  for (const how of ['ended', 'left']) {
    check(
      `rule 9: proof that comes after its conversation ${how === 'left' ? 'was left' : 'had ended with the process'} puts nothing into context`,
      async (world) => {
        const { child, leave } = await open(world);
        const { id } = await world.send(child);
        const { mark } = await enter(world, child, { provable: true });
        const at = world.clock.now();
        if (how === 'left') await leave();
        else
          await world.ledger.write(async (tx) => {
            await tx.epochs.end(child.id, 1, { at, cause: 'exit' });
            await endEpoch(tx, at, child.id);
          });
        await world.ledger.write((tx) => prove(tx, world.clock.now(), { mark, evidence: '' }));
        expect(await world.message(id)).toMatchObject({ state: 'seen', inContext: false });
      },
    );
  }
});
