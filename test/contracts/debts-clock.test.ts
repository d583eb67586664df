import { expect } from 'vitest';
import type { Agent } from '../../src/agents/agent.ts';
import { recordInjected } from '../../src/delivery/claim.ts';
import { endTurn, type TurnStop } from '../../src/fleet/end-turn.ts';
import type { Message } from '../../src/messages/message.ts';
import { contract, type World } from './world.ts';

const hour = 3_600_000;

async function stop(world: World, child: Agent, more: Partial<TurnStop>) {
  const turn = { session: 's1', id: 't1', outcome: 'completed', text: 'Done.' } as const;
  const stopped = { child: child.id, epoch: child.epoch, ...turn, ...more };
  return (await endTurn(world.ledger, world.clock, stopped)).completions;
}

/** A task that is in its conversation; its mark, and what the records say of it. */
async function giveTask(world: World, to: Agent, from?: Agent) {
  const task = await world.send(to, { kind: 'task', ...(from ? { from: from.id } : {}) });
  const { claim } = await world.take(to, 'native');
  await world.ledger.write((tx) => recordInjected(tx, world.clock.now(), claim.token, 'in'));
  return [task, claim.mark, { in: new Set([claim.token]), out: new Set<number>() }] as const;
}

const endOf = async (world: World, { id }: Message) =>
  (await world.ledger.read((tx) => tx.debts.find(id)))?.end;

contract('debts and a clock that is set back', (check) => {
  check('rules 5, 26: the turn that held a task answers it all the same', async (world) => {
    const child = await world.add('alone');
    const [task] = await giveTask(world, child);
    world.clock.setWall(world.clock.now() - hour);
    world.clock.pass(60_000);
    // As the commit of a hook tells it that found no daemon.
    await stop(world, child, { endedAt: world.clock.now() });
    expect(await endOf(world, task)).toBe('answered');
  });

  check('rules 5, 27: and a later turn does, of what an earlier one held', async (world) => {
    const child = await world.add('alone');
    const [task, mark, onRecord] = await giveTask(world, child);
    await stop(world, child, { outcome: 'interrupted', text: '', held: [mark] });
    world.clock.setWall(world.clock.now() - hour);
    world.clock.pass(60_000);
    await stop(world, child, { id: 't2', endedAt: world.clock.now(), held: [], onRecord });
    expect(await endOf(world, task)).toBe('answered');
  });

  check('rules 5, 30: whoever waits for others answers nothing by it', async (world) => {
    const middle = await world.add('middle');
    const helper = await world.add('helper', { parent: middle });
    const [task, mark] = await giveTask(world, middle);
    const [below] = await giveTask(world, helper, middle);
    world.clock.setWall(world.clock.now() - hour);
    world.clock.pass(60_000);
    await stop(world, middle, {
      ...{ text: 'I have asked the helper.', endedAt: world.clock.now(), held: [mark] },
    });
    expect(await endOf(world, task)).toBeUndefined();
    await stop(world, helper, {});
    expect(await endOf(world, below)).toBe('answered');
    world.clock.setWall(world.clock.now() - hour);
    await stop(world, middle, { id: 't2', endedAt: world.clock.now(), held: [] });
    expect(await endOf(world, task)).toBe('answered');
  });
});
