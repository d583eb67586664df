import { expect } from 'vitest';
import type { Agent } from '../../src/agents/agent.ts';
import { recordInjected } from '../../src/delivery/claim.ts';
import { insertReminder } from '../../src/delivery/remind-debtor.ts';
import { endTurn, type TurnStop } from '../../src/fleet/end-turn.ts';
import type { Claim } from '../../src/messages/claim.ts';
import { contract, user, type World } from './world.ts';

async function stop(world: World, child: Agent, more: Partial<TurnStop>) {
  const turn = { session: 's1', id: 't1', outcome: 'completed', text: 'Done.' } as const;
  const stopped = { child: child.id, epoch: child.epoch, ...turn, ...more };
  return (await endTurn(world.ledger, world.clock, stopped)).completions;
}

/** The CLI's records show it in a conversation. */
function isIn({ token }: Claim): Pick<TurnStop, 'onRecord'> {
  return { onRecord: { in: new Set([token]), out: new Set() } };
}

contract('ends of turns that are told late or again', (check) => {
  check(
    'rule 30: the answer to a reminder of it settles a task, in whatever conversation that was',
    async (world) => {
      const child = await world.add('alone');
      const task = await world.send(child, { kind: 'task' });
      const enter = async () => {
        const { claim } = await world.take(child, 'native');
        await world.ledger.write((tx) => recordInjected(tx, world.clock.now(), claim.token, 'in'));
      };
      await enter();
      await stop(world, child, { outcome: 'interrupted', text: '' });
      await world.ledger.write(async (tx) => {
        const debt = await tx.debts.find(task.id);
        if (debt) await insertReminder(tx, world.clock.now(), debt);
      });
      await enter();
      const [answer] = await stop(world, child, { session: 's2', id: 't2', text: 'The answer.' });
      expect(answer).toMatchObject({ replyTo: [task.id], body: 'The answer.' });
    },
  );

  check(
    'rules 27, 30: a task that a person interrupted is not answered by another conversation, and is by its own',
    async (world) => {
      const child = await world.add('alone');
      const task = await world.send(child, { kind: 'task' });
      const { claim } = await world.take(child, 'native');
      await world.ledger.write((tx) => recordInjected(tx, world.clock.now(), claim.token, 'in'));
      await stop(world, child, { outcome: 'interrupted', text: '' });
      const find = () => world.ledger.read((tx) => tx.debts.find(task.id));
      // The person has gone on with /new.
      const chat = { session: 's2', id: 't2', text: 'A chat.', ...isIn(claim) };
      expect(await stop(world, child, chat)).toEqual([]);
      expect((await find())?.end).toBeUndefined();
      const [answer] = await stop(world, child, { id: 't3', text: 'The answer.', ...isIn(claim) });
      expect(answer).toMatchObject({ replyTo: [task.id], body: 'The answer.' });
      expect((await find())?.end).toBe('answered');
    },
  );

  check(
    'rules 26, 27: a turn that ended before a task was sent, told late, does not answer it although a later turn held it',
    async (world) => {
      const child = await world.add('alone');
      const endedAt = world.clock.now();
      world.clock.pass(60_000);
      const task = await world.send(child, { kind: 'task' });
      const { claim } = await world.take(child, 'native');
      await world.ledger.write((tx) => recordInjected(tx, world.clock.now(), claim.token, 'in'));
      // The turn that held it is interrupted: the debt stays open.
      await stop(world, child, {
        id: 't2',
        stop: 1,
        outcome: 'interrupted',
        text: '',
        held: [claim.mark],
      });
      expect((await world.ledger.read((tx) => tx.debts.find(task.id)))?.endedAt).toBeUndefined();
      // An older one, which held nothing, is told only now (another thread that is shown again; an
      // upgraded ledger).
      const old = await stop(world, child, { id: 't1', stop: 1, text: 'Old.', endedAt, held: [] });
      expect(old.filter(({ to }) => to === user.id)).toEqual([]);
      expect((await world.ledger.read((tx) => tx.debts.find(task.id)))?.end).toBeUndefined();
    },
  );

  check(
    'rule 26: a task that waited behind a turn is not answered by that turn, told after the one that held it',
    async (world) => {
      const child = await world.add('alone');
      const task = await world.send(child, { kind: 'task' });
      const { claim } = await world.take(child, 'native');
      await world.ledger.write((tx) => recordInjected(tx, world.clock.now(), claim.token, 'in'));
      world.clock.pass(1000);
      const first = { id: 't1', stop: 1, endedAt: world.clock.now(), held: [] };
      world.clock.pass(1000);
      const second = { id: 't2', stop: 1, endedAt: world.clock.now(), held: [claim.mark] };
      world.clock.pass(1000);
      const third = { id: 't3', stop: 1, endedAt: world.clock.now(), held: [] };
      world.clock.pass(1000);
      await stop(world, child, { ...second, outcome: 'failed', text: '' });
      const old = await stop(world, child, { ...first, text: 'What came before.' });
      expect(old).toEqual([]);
      const [answer] = await stop(world, child, { ...third, text: 'The answer.', ...isIn(claim) });
      expect(answer).toMatchObject({ replyTo: [task.id], body: 'The answer.' });
    },
  );

  check(
    'rule 26: the same stop of a hook, told again after 11 s, is one completion; another call is another stop',
    async (world) => {
      const parent = await world.add('parent');
      const child = await world.add('child', { parent });
      await stop(world, child, { report: '1-42' });
      world.clock.pass(11_000);
      expect(await stop(world, child, { report: '1-42' })).toEqual([]);
      expect(await stop(world, child, { report: '12-43' })).toMatchObject([{ turn: 's1/t1/2' }]);
      // The first hook's own commit may come in last.
      expect(await stop(world, child, { report: '1-42' })).toEqual([]);
    },
  );

  check(
    'rule 26: told again after 11 s, an old stop does not answer the task that has begun the next turn',
    async (world) => {
      const child = await world.add('alone');
      await world.send(child, { kind: 'task' });
      const first = await world.take(child, 'native');
      await world.ledger.write((tx) =>
        recordInjected(tx, world.clock.now(), first.claim.token, 'in'),
      );
      await stop(world, child, { text: 'Answer one.', report: '1-42' });
      world.clock.pass(11_000);
      const task = await world.send(child, { kind: 'task' });
      const { claim } = await world.take(child, 'native');
      await world.ledger.write((tx) => recordInjected(tx, world.clock.now(), claim.token, 'in'));
      await stop(world, child, { text: 'Answer one.', report: '1-42' });
      expect((await world.ledger.read((tx) => tx.debts.find(task.id)))?.end).toBeUndefined();
    },
  );

  check(
    'rule 26: a hook’s own commit that lands after a new daemon has injected a task does not answer that task',
    async (world) => {
      const child = await world.add('alone');
      // The Stop of t1 fires now, and no daemon hears it; its commit waits for a process and for
      // the lock (up to 10 s).
      const endedAt = world.clock.now();
      const news = {
        session: 's1',
        id: 't1',
        outcome: 'completed',
        text: 'Old words.',
        endedAt,
      } as const;
      world.clock.pass(3000);
      const task = await world.send(child, { kind: 'task' });
      const { claim } = await world.take(child, 'native');
      await world.ledger.write((tx) => recordInjected(tx, world.clock.now(), claim.token, 'in'));
      // As client/hook/commit.ts does it.
      await endTurn(world.ledger, world.clock, { child: child.id, epoch: child.epoch, ...news });
      expect((await world.ledger.read((tx) => tx.debts.find(task.id)))?.end).toBeUndefined();
    },
  );
});
