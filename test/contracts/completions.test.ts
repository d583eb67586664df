import { expect } from 'vitest';
import type { Agent } from '../../src/agents/agent.ts';
import { bury } from '../../src/delivery/bury.ts';
import { completeTurn, type TurnEnd } from '../../src/fleet/complete-turn.ts';
import { remove } from '../../src/fleet/remove.ts';
import type { Message } from '../../src/messages/message.ts';
import { contract, user, type World } from './world.ts';

function end(world: World, child: Agent, turn: number, change: Partial<TurnEnd> = {}) {
  return completeTurn(world.ledger, world.clock, {
    child: child.id,
    turn: { session: 's1', id: `t${turn}`, stop: 1 },
    outcome: 'completed',
    summary: `turn ${turn}`,
    entered: [],
    ...change,
  });
}

async function family(world: World): Promise<{ parent: Agent; child: Agent }> {
  const parent = await world.add('parent');
  return { parent, child: await world.add('child', { parent }) };
}

contract('completions', (check) => {
  check(
    'rules 26, O2: equal turns make one completion, distinct turns are never merged',
    async (world) => {
      const { parent, child } = await family(world);
      const [first] = await end(world, child, 1);
      const drained = await world.drain(parent);
      await drained.finish();
      expect(await end(world, child, 1)).toMatchObject([{ id: first?.id }]);
      expect(await world.inbox(parent)).toEqual([]);
      const stops = { turn: { session: 's1', id: 't1', stop: 2 } };
      const [second] = await end(world, child, 1, stops);
      expect(second?.id).not.toBe(first?.id);
      expect(second).toMatchObject({
        kind: 'completion',
        child: child.id,
        turn: 's1/t1/2',
        outcome: 'completed',
      });
    },
  );

  check('rule 28, O2: last wins among queued completions that answer nothing', async (world) => {
    const { parent, child } = await family(world);
    const sibling = await world.add('sibling', { parent });
    const [first] = await end(world, child, 1);
    const [other] = await end(world, sibling, 1);
    const [second] = await end(world, child, 2);
    expect(await world.state(first?.id ?? '')).toBe('superseded');
    expect((await world.inbox(parent)).map(({ id }) => id)).toEqual([other?.id, second?.id]);
  });

  check('rule 28: one that answers a task is never superseded', async (world) => {
    const { parent, child } = await family(world);
    const task = await world.send(child, { kind: 'task', from: parent.id });
    const [answer] = await end(world, child, 1, { entered: [task.id] });
    expect(answer).toMatchObject({ replyTo: [task.id], answersTask: true });
    await end(world, child, 2);
    await end(world, child, 3);
    expect((await world.inbox(parent)).map(({ body }) => body)).toEqual(['turn 1', 'turn 3']);
  });

  check(
    'rule 28: a completion that returns to queued after a newer one is superseded',
    async (world) => {
      const { parent, child } = await family(world);
      const [first] = await end(world, child, 1);
      const host = world.hosts.start();
      await world.drain(parent, { as: world.process(host) });
      const [second] = await end(world, child, 2);
      world.hosts.kill(host.pid);
      const drain = await world.drain(parent);
      expect(drain.messages.map(({ id }) => id)).toEqual([second?.id]);
      expect(await world.path(first?.id ?? '')).toEqual([
        'queued',
        'claimed',
        'injected',
        'uncertain',
        'queued',
        'superseded',
      ]);
      expect(await world.ack(first?.id ?? '')).toMatchObject([{ outcome: 'superseded' }]);
    },
  );

  check(
    'rule 27: one for the parent, one for each other agent whose task it answers',
    async (world) => {
      const { parent, child } = await family(world);
      const peer = await world.add('peer');
      const fromUser = await world.send(child, { kind: 'task' });
      const fromPeer = await world.send(child, { kind: 'task', from: peer.id });
      const chat = await world.send(child, { from: peer.id });
      const entered = [fromUser.id, fromPeer.id, chat.id];
      const completions = await end(world, child, 1, { entered });
      expect(completions.map(({ to, replyTo }) => [to, replyTo])).toEqual([
        [parent.id, []],
        [user.id, [fromUser.id]],
        [peer.id, [fromPeer.id, chat.id]],
      ]);
    },
  );

  check('rule 27: a child that waits answers nothing', async (world) => {
    const { parent, child } = await family(world);
    const task = await world.send(child, { kind: 'task' });
    const completions = await end(world, child, 1, { outcome: 'waiting', entered: [task.id] });
    expect(completions).toMatchObject([
      { to: parent.id, replyTo: [], answersTask: false },
      { to: user.id, replyTo: [], answersTask: false, owes: [task.id] },
    ]);
  });

  check(
    'rule 29: without a parent, or with --no-notify, only tasks are answered',
    async (world) => {
      const parent = await world.add('parent');
      const alone = await world.add('alone');
      const quiet = await world.add('quiet', { parent, notify: false });
      expect(await end(world, alone, 1)).toEqual([]);
      expect(await end(world, quiet, 1)).toEqual([]);
      const task = await world.send(quiet, { kind: 'task', from: parent.id });
      expect(await end(world, quiet, 2, { entered: [task.id] })).toMatchObject([{ to: parent.id }]);
    },
  );

  check('O5: a summary is cut at 32 KiB, on a character, and says so', async (world) => {
    const { child } = await family(world);
    const [completion] = await end(world, child, 1, { summary: 'é'.repeat(40_000) });
    expect(completion?.truncated).toBe(true);
    expect(completion?.body).toBe('é'.repeat(16 * 1024));
    const [whole] = await end(world, child, 2, { summary: 'x'.repeat(32 * 1024) });
    expect(whole?.truncated).toBe(false);
  });

  check(
    'rules 29, 34, O6: an orphan is dead on arrival; one per child and reason is shown',
    async (world) => {
      const child = await world.add('child');
      await world.ledger.write((tx) => tx.agents.setParent(child.id, 'agt_lost'));
      for (let turn = 1; turn <= 4; turn++) await end(world, child, turn);
      await end(world, child, 4);
      const query = { states: ['dead'], limit: 10 } as const;
      const shown = await world.ledger.read((tx) => tx.messages.list(query));
      expect(shown).toMatchObject([{ reason: 'orphan', body: 'turn 4', child: child.id }]);
      const all = { ...query, includeDiscarded: true };
      expect(await world.ledger.read((tx) => tx.messages.count(all))).toBe(4);
      // Told once for the reason, not once for each turn.
      expect(await world.inbox(child)).toMatchObject([{ kind: 'bounce', reason: 'orphan' }]);
    },
  );

  check(
    'rule 34: a turn end of a removed agent, and a completion for a removed parent, are dead',
    async (world) => {
      const { parent, child } = await family(world);
      const [waiting] = await end(world, child, 1);
      await remove(world.ledger, world.here, parent.id);
      expect(await world.message(waiting?.id ?? '')).toMatchObject({
        state: 'dead',
        reason: 'parent_removed',
      });
      const next = await world.add('next');
      await world.ledger.write((tx) => tx.agents.setParent(child.id, next.id));
      await remove(world.ledger, world.here, child.id);
      expect(await end(world, child, 2)).toMatchObject([
        { state: 'dead', reason: 'child_removed' },
      ]);
      expect(await world.inbox(next)).toEqual([]);
    },
  );

  check(
    'rule 34: each answer that cannot arrive is told, also when another one was before',
    async (world) => {
      const child = await world.add('child');
      const [x, y] = [await world.add('x'), await world.add('y')];
      const tasks = [
        await world.send(child, { kind: 'task', from: x.id }),
        await world.send(child, { kind: 'task', from: y.id }),
      ];
      for (const gone of [x, y]) await remove(world.ledger, world.here, gone.id);
      const dead = await end(world, child, 1, { entered: tasks.map(({ id }) => id) });
      expect(dead.map(({ state }) => state)).toEqual(['dead', 'dead']);
      const bounces = (await world.inbox(child)).filter(({ kind }) => kind === 'bounce');
      expect(bounces.map(({ replyTo }) => replyTo[0])).toEqual(dead.map(({ id }) => id));
      const history = await world.ledger.read((tx) => tx.messages.history(dead[0]?.id ?? ''));
      expect(history[0]?.evidence).toBe(`told the sender: ${bounces[0]?.id}`);
    },
  );

  check(
    'rules 29, 34: that nobody took a report of a turn wakes no child, whose next turn would be reported to the same parent',
    async (world) => {
      const parent = await world.add('parent');
      const child = await world.add('child', { parent });
      const giveUp = async (more: Partial<Message>): Promise<Message | undefined> => {
        const { id } = await world.send(parent, { kind: 'completion', from: child.id });
        const report = { ...(await world.message(id)), ...more };
        await world.ledger.write((tx) =>
          bury(tx, world.clock.now(), report, 'attempts_exhausted', {
            code: 'not-landed',
            cause: 'the test says so',
          }),
        );
        return (await world.inbox(child)).find(({ replyTo }) => replyTo.includes(id));
      };
      expect(await giveUp({})).toMatchObject({ kind: 'bounce', isQuiet: true });
      // Whoever asked waits for an answer, and its worker can give it again.
      expect(await giveUp({ answersTask: true })).toMatchObject({ kind: 'bounce', isQuiet: false });
    },
  );
});
