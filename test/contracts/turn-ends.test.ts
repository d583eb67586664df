import { expect } from 'vitest';
import type { Agent } from '../../src/agents/agent.ts';
import { recordInjected } from '../../src/delivery/claim.ts';
import { endTurn, nameTurn, type TurnStop } from '../../src/fleet/end-turn.ts';
import type { Route } from '../../src/messages/claim.ts';
import { contract, user, type World } from './world.ts';

async function family(world: World): Promise<{ parent: Agent; child: Agent }> {
  const parent = await world.add('parent');
  return { parent, child: await world.add('child', { parent }) };
}

async function stop(world: World, child: Agent, more: Partial<TurnStop> = {}) {
  const turn = { session: 's1', id: 't1', outcome: 'completed', text: 'Done.' } as const;
  const told = await endTurn(world.ledger, world.clock, {
    child: child.id,
    epoch: child.epoch,
    ...turn,
    ...more,
  });
  return told.completions;
}

/** Puts everything that is queued into the child's conversation. */
async function enter(world: World, child: Agent, route: Route): Promise<void> {
  const { claim } = await world.take(child, route);
  const at = world.clock.now();
  await world.ledger.write((tx) => recordInjected(tx, at, claim.token, 'entered'));
}

contract('ends of turns', (check) => {
  check(
    'rule 26: the same stop reported twice makes one completion, also by a later daemon',
    async (world) => {
      const { parent, child } = await family(world);
      await stop(world, child);
      world.clock.pass(2000);
      expect(await stop(world, child)).toEqual([]);
      expect(await world.inbox(parent)).toMatchObject([{ turn: 's1/t1/1', body: 'Done.' }]);
    },
  );

  check(
    'rule 26: a clock set back between two reports of one stop makes no second one',
    async (world) => {
      const { child } = await family(world);
      await stop(world, child);
      world.clock.setWall(world.clock.now() - 5000);
      expect(await stop(world, child)).toEqual([]);
    },
  );

  check(
    'rules 26, 27: a turn that we continued stops twice, also when it says the same again at once',
    async (world) => {
      const { child } = await family(world);
      const [first] = await stop(world, child);
      const task = await world.send(child, { kind: 'task' });
      await enter(world, child, 'turn-boundary');
      world.clock.pass(500);
      const second = await stop(world, child);
      expect(second.map(({ turn, to, replyTo }) => [turn, to, replyTo])).toEqual([
        ['s1/t1/2', child.parent, []],
        ['s1/t1/2', user.id, [task.id]],
      ]);
      expect(second[0]?.id).not.toBe(first?.id);
      // Reported once more, it is the same stop still.
      expect(await stop(world, child)).toEqual([]);
    },
  );

  check(
    'rules 26, 27: a late second report does not answer what has begun the next turn',
    async (world) => {
      const { child } = await family(world);
      await stop(world, child);
      const task = await world.send(child, { kind: 'task' });
      await enter(world, child, 'native');
      world.clock.pass(500);
      expect(await stop(world, child)).toEqual([]);
      const next = await stop(world, child, { id: 't2' });
      expect(next.find(({ to }) => to === user.id)).toMatchObject({ replyTo: [task.id] });
    },
  );

  check(
    'rule 26: ends that a CLI tells again after a restart of ours answer nothing, however many and however late',
    async (world) => {
      const { parent, child } = await family(world);
      const tell = async (): Promise<number> => {
        let made = 0;
        for (let n = 1; n <= 20; n++) {
          made += (await stop(world, child, { id: `t${n}`, stop: 1, text: `Old ${n}.` })).length;
        }
        return made;
      };
      expect(await tell()).toBe(20);
      const task = await world.send(child, { kind: 'task' });
      await enter(world, child, 'native');
      for (const late of [1000, 60_000, 86_400_000]) {
        world.clock.pass(late);
        expect(await tell()).toBe(0);
      }
      const answers = await stop(world, child, { id: 't21', stop: 1, text: 'Amber.' });
      expect(answers.map(({ to, body, replyTo }) => [to, body, replyTo])).toEqual([
        [parent.id, 'Amber.', []],
        [user.id, 'Amber.', [task.id]],
      ]);
    },
  );

  check(
    'rule 26: an end that nobody had to be told of is remembered where its CLI may tell it again',
    async (world) => {
      const alone = await world.add('alone');
      expect(await stop(world, alone, { stop: 1, text: 'Old.' })).toEqual([]);
      const task = await world.send(alone, { kind: 'task' });
      await enter(world, alone, 'native');
      expect(await stop(world, alone, { stop: 1, text: 'Old.' })).toEqual([]);
      const [answer] = await stop(world, alone, { id: 't2', stop: 1, text: 'New.' });
      expect(answer).toMatchObject({ body: 'New.', replyTo: [task.id] });
    },
  );

  check(
    'rule 26: a turn that ended before a task was sent cannot answer it, although nobody remembers that turn',
    async (world) => {
      const { child } = await family(world);
      const endedAt = world.clock.now();
      world.clock.pass(50);
      const task = await world.send(child, { kind: 'task' });
      await enter(world, child, 'native');
      const old = await stop(world, child, { stop: 1, text: 'Old.', endedAt });
      expect(old.map(({ to, replyTo }) => [to, replyTo])).toEqual([[child.parent, []]]);
      const next = await stop(world, child, { id: 't2', stop: 1, text: 'New.' });
      expect(next.find(({ to }) => to === user.id)).toMatchObject({ replyTo: [task.id] });
    },
  );

  check(
    'rule 26: where a turn’s records name all that it held, it answers that and nothing else, whenever it is told',
    async (world) => {
      const { child } = await family(world);
      const first = await world.send(child, { kind: 'task' });
      const { claim } = await world.take(child, 'native');
      await world.ledger.write((tx) =>
        recordInjected(tx, world.clock.now(), claim.token, 'entered'),
      );
      const second = await world.send(child, { kind: 'task' });
      const { claim: later } = await world.take(child, 'native');
      await world.ledger.write((tx) =>
        recordInjected(tx, world.clock.now(), later.token, 'entered'),
      );
      const answersOf = async (more: Partial<TurnStop>): Promise<readonly (readonly string[])[]> =>
        (await stop(world, child, { stop: 1, ...more }))
          .filter(({ to }) => to === user.id)
          .map(({ replyTo }) => replyTo);
      expect(await answersOf({ id: 't0', held: [] })).toEqual([]);
      expect(await answersOf({ id: 't2', held: [later.mark] })).toEqual([[second.id]]);
      expect(await answersOf({ id: 't1', held: [claim.mark] })).toEqual([[first.id]]);
    },
  );

  check(
    'rule 26: another turn, another session or another outcome is another stop',
    async (world) => {
      const { child } = await family(world);
      const turns: (string | undefined)[] = [];
      for (const more of [
        {},
        { text: 'More.' },
        { outcome: 'failed' },
        { id: 't2' },
        { session: 's2' },
      ] as const) {
        turns.push((await stop(world, child, more))[0]?.turn);
      }
      expect(turns).toEqual(['s1/t1/1', 's1/t1/2', 's1/t1/3', 's1/t2/1', 's2/t1/1']);
    },
  );

  check(
    'rule 26: a CLI without ids has the epoch and a counter, which survive us',
    async (world) => {
      const { child } = await family(world);
      expect(await nameTurn(world.ledger, child.id, 3)).toEqual({ session: 'epoch-3', id: '1' });
      await stop(world, child, { session: 'epoch-3', id: '1' });
      expect(await nameTurn(world.ledger, child.id, 3)).toEqual({ session: 'epoch-3', id: '2' });
      expect(await nameTurn(world.ledger, child.id, 4)).toEqual({ session: 'epoch-4', id: '1' });
    },
  );

  check(
    'rule 27: what entered is answered by one stop alone; a dialog answers nothing',
    async (world) => {
      const { child } = await family(world);
      const task = await world.send(child, { kind: 'task' });
      await enter(world, child, 'native');
      const waiting = await stop(world, child, { outcome: 'waiting', text: 'It asks.', id: 'd' });
      // Whoever waits for the answer is told what it waits for now.
      expect(waiting.map(({ to, replyTo, owes }) => [to, replyTo, owes])).toEqual([
        [child.parent, [], undefined],
        [user.id, [], [task.id]],
      ]);
      const answers = await stop(world, child);
      expect(answers.map(({ to, replyTo }) => [to, replyTo])).toEqual([
        [child.parent, []],
        [user.id, [task.id]],
      ]);
      expect((await stop(world, child, { id: 't2' })).map(({ to }) => to)).toEqual([child.parent]);
    },
  );

  check(
    'rules 20, 29: without a parent and a task there is nobody to tell, and nothing is written',
    async (world) => {
      const alone = await world.add('alone');
      expect(await stop(world, alone)).toEqual([]);
      expect(await world.ledger.read((tx) => tx.turns.findLastStop(alone.id))).toBeUndefined();
      const task = await world.send(alone, { kind: 'task' });
      await enter(world, alone, 'native');
      expect(await stop(world, alone)).toMatchObject([{ to: user.id, replyTo: [task.id] }]);
    },
  );
});
