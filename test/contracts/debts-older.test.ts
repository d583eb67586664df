import { expect } from 'vitest';
import type { Agent } from '../../src/agents/agent.ts';
import { recordInjected } from '../../src/delivery/claim.ts';
import { prove } from '../../src/delivery/prove.ts';
import { insertReminder } from '../../src/delivery/remind-debtor.ts';
import { endTurn } from '../../src/fleet/end-turn.ts';
import { beginEpoch, endEpoch } from '../../src/fleet/epochs.ts';
import type { Message } from '../../src/messages/message.ts';
import { contract, type World } from './world.ts';

let turns = 0;

/** The worker reads all that waits for it, in one turn that ends like this. */
async function play(world: World, worker: Agent, outcome: 'completed' | 'failed' = 'completed') {
  const { ledger, clock } = world;
  const { claim } = await world.take(worker, 'native', { epoch: 0 });
  await ledger.write((tx) => recordInjected(tx, clock.now(), claim.token, 'in'));
  await ledger.write((tx) => prove(tx, clock.now(), { mark: claim.mark, evidence: 'a word' }));
  const turn = { child: worker.id, epoch: 0, session: 's', id: `t${turns++}`, text: 'My words.' };
  // Its records show all that it was ever given: tokens count from 1.
  const tokens = Array.from({ length: claim.token }, (_, i) => i + 1);
  const onRecord = { in: new Set(tokens), out: new Set<number>() };
  await endTurn(ledger, clock, { ...turn, outcome, onRecord });
}

async function team(world: World) {
  const worker = await world.add('worker');
  const [one, two] = [await world.add('one'), await world.add('two')];
  const old = await world.send(worker, { kind: 'task', from: one.id });
  await play(world, worker, 'failed');
  return { worker, one, two, old };
}

const end = async (world: World, { id }: Message) =>
  (await world.ledger.read((tx) => tx.debts.find(id)))?.end;

contract('a task whose own turn did not end well', (check) => {
  check('rules 27, 30: is not answered by the words for another task', async (world) => {
    const { worker, one, two, old } = await team(world);
    for (const giver of [two, one]) {
      const fresh = await world.send(worker, { kind: 'task', from: giver.id });
      await play(world, worker);
      expect([await end(world, fresh), await end(world, old)]).toEqual(['answered', undefined]);
    }
    // Whoever gave both is told which of them is open.
    const last = (await world.inbox(one)).at(-1);
    expect(last).toMatchObject({ kind: 'completion', owes: [old.id] });
  });

  check(
    'rule 30: is answered by the turn that read its reminder, whatever came with it',
    async (world) => {
      const { worker, two, old } = await team(world);
      await world.ledger.write(async (tx) => {
        const debt = await tx.debts.find(old.id);
        if (debt) await insertReminder(tx, world.clock.now(), debt);
      });
      const fresh = await world.send(worker, { kind: 'task', from: two.id });
      await play(world, worker);
      expect([await end(world, fresh), await end(world, old)]).toEqual(['answered', 'answered']);
    },
  );

  check('rule 27: is answered by a turn that was given no other', async (world) => {
    const { worker, two, old } = await team(world);
    await world.send(worker, { from: two.id });
    await play(world, worker);
    expect(await end(world, old)).toBe('answered');
  });

  check(
    'rules 27, 37: is not answered by a turn that the CLI’s own queue began in the next life for another',
    async (world) => {
      const { ledger, clock } = world;
      const worker = await world.add('worker');
      await ledger.write((tx) => beginEpoch(tx, worker.id));
      const marks: string[] = [];
      const tasks: Message[] = [];
      for (const name of ['one', 'two']) {
        tasks.push(await world.send(worker, { kind: 'task', from: (await world.add(name)).id }));
        const { claim } = await world.take(worker, 'native', { epoch: 1 });
        await ledger.write((tx) => recordInjected(tx, clock.now(), claim.token, 'in'));
        marks.push(claim.mark);
      }
      await ledger.write(async (tx) => {
        await endEpoch(tx, clock.now(), worker.id);
        await beginEpoch(tx, worker.id);
        for (const mark of marks) await prove(tx, clock.now(), { mark, evidence: 'a word' });
      });
      const turn = { child: worker.id, epoch: 2, session: 's', id: 't1', stop: 1 };
      const said = {
        outcome: 'completed',
        text: 'The second answer.',
        held: marks.slice(1),
      } as const;
      await endTurn(ledger, clock, { ...turn, ...said });
      const [first, second] = tasks;
      if (!first || !second) throw new Error('no tasks');
      expect([await end(world, first), await end(world, second)]).toEqual([undefined, 'answered']);
    },
  );

  check(
    'rule 30: of several, the one that a reminder names is answered by what it begins',
    async (world) => {
      const { worker, two, old } = await team(world);
      const other = await world.send(worker, { kind: 'task', from: two.id });
      await play(world, worker, 'failed');
      await world.ledger.write(async (tx) => {
        const debt = await tx.debts.find(other.id);
        if (debt) await insertReminder(tx, world.clock.now(), debt);
      });
      await play(world, worker);
      expect([await end(world, other), await end(world, old)]).toEqual(['answered', undefined]);
    },
  );
});
