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

function stop(world: World, child: Agent, more: Partial<TurnStop> = {}) {
  const turn = { session: 's1', id: 't1', outcome: 'completed', text: 'Done.' } as const;
  return endTurn(world.ledger, world.clock, {
    child: child.id,
    epoch: child.epoch,
    ...turn,
    ...more,
  });
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
      const [first] = await stop(world, child);
      world.clock.pass(2000);
      expect(await stop(world, child)).toMatchObject([{ id: first?.id }]);
      expect(await world.inbox(parent)).toMatchObject([{ turn: 's1/t1/1', body: 'Done.' }]);
    },
  );

  check(
    'rule 26: a clock set back between two reports of one stop makes no second one',
    async (world) => {
      const { child } = await family(world);
      const [first] = await stop(world, child);
      world.clock.setWall(world.clock.now() - 5000);
      expect(await stop(world, child)).toMatchObject([{ id: first?.id }]);
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
      expect((await stop(world, child)).map(({ turn }) => turn)).toEqual(['s1/t1/2']);
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
      expect((await stop(world, child)).map(({ replyTo }) => replyTo)).toEqual([[]]);
      const next = await stop(world, child, { id: 't2' });
      expect(next.find(({ to }) => to === user.id)).toMatchObject({ replyTo: [task.id] });
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
      expect(waiting.map(({ to, replyTo }) => [to, replyTo])).toEqual([[child.parent, []]]);
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
      expect(await world.ledger.read((tx) => tx.turns.findStop(alone.id))).toBeUndefined();
      const task = await world.send(alone, { kind: 'task' });
      await enter(world, alone, 'native');
      expect(await stop(world, alone)).toMatchObject([{ to: user.id, replyTo: [task.id] }]);
    },
  );
});
