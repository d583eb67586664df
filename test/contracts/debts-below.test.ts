import { expect } from 'vitest';
import type { Agent } from '../../src/agents/agent.ts';
import { insertReminder } from '../../src/delivery/remind-debtor.ts';
import { completeTurn } from '../../src/fleet/complete-turn.ts';
import type { Message } from '../../src/messages/message.ts';
import { contract, type World } from './world.ts';

let turns = 0;

function end(world: World, { id }: Agent, entered: readonly string[]) {
  return completeTurn(world.ledger, world.clock, {
    ...{ child: id, turn: { session: 's1', id: `t${turns++}`, stop: 1 }, outcome: 'completed' },
    ...{ summary: 'No helper answers; here is what I found.', entered },
  });
}

async function team(world: World) {
  const middle = await world.add('middle');
  const helper = await world.add('helper', { parent: middle });
  const task = await world.send(middle, { kind: 'task' });
  const below = await world.send(helper, { kind: 'task', from: middle.id });
  return { middle, helper, task, below };
}

const find = (world: World, { id }: Message) => world.ledger.read((tx) => tx.debts.find(id));

async function remind(world: World, task: Message): Promise<string> {
  await world.ledger.write(async (tx) => {
    const debt = await tx.debts.find(task.id);
    if (debt) await insertReminder(tx, world.clock.now(), debt);
  });
  const notices = (await world.inbox({ id: task.to })).filter(({ kind }) => kind === 'notice');
  return notices[0]?.id ?? '';
}

contract('a worker whose own worker will not answer', (check) => {
  for (const [why, giveUp] of [
    [
      'was reminded in vain',
      (world: World, { below }: { below: Message }) =>
        world.ledger.write((tx) => tx.debts.setTold(below.id, 'msg_told', world.clock.now())),
    ],
    [
      'waits for its word',
      (world: World, { middle, helper, below }: Awaited<ReturnType<typeof team>>) =>
        world.send(middle, { from: helper.id, replyTo: [below.id], isQuestion: true }),
    ],
  ] as const) {
    check(
      `rule 30: answers with the turn that read its reminder, if that one ${why}`,
      async (world) => {
        const given = await team(world);
        const { middle, task } = given;
        await giveUp(world, given);
        // It may have asked its helper once more: nobody knows that this is all it has to say.
        await end(world, middle, [task.id]);
        expect((await find(world, task))?.end).toBeUndefined();
        await end(world, middle, [await remind(world, task)]);
        expect((await find(world, task))?.end).toBe('answered');
      },
    );
  }

  check('rule 30: waits for one that works on, whatever it was reminded of', async (world) => {
    const { middle, task } = await team(world);
    await end(world, middle, [task.id, await remind(world, task)]);
    expect((await find(world, task))?.end).toBeUndefined();
  });
});
