import { expect } from 'vitest';
import type { Agent } from '../../src/agents/agent.ts';
import { abandonClaim } from '../../src/delivery/abandon-claim.ts';
import { retry } from '../../src/delivery/dead-letters.ts';
import { takeDown, withdrawOrRelease, withdrawQueued } from '../../src/delivery/withdraw.ts';
import type { Waiter } from '../../src/messages/debt.ts';
import type { Message } from '../../src/messages/message.ts';
import { contract, user, type World } from './world.ts';

async function team(world: World): Promise<{ lead: Agent; worker: Agent; task: Message }> {
  const lead = await world.add('lead');
  const worker = await world.add('worker', { parent: lead });
  return { lead, worker, task: await world.send(worker, { kind: 'task', from: lead.id }) };
}

const person = (world: World) => world.ledger.read((tx) => tx.agents.find(user.id));

async function withdraw(world: World, { id }: Message, by?: Agent) {
  const who = by ?? (await person(world));
  if (!who) throw new Error('no user');
  return world.ledger.write((tx) => withdrawQueued(tx, world.clock.now(), id, who));
}

async function release(world: World, { id }: Message, by?: Agent) {
  const who = by ?? (await person(world));
  if (!who) throw new Error('no user');
  return world.ledger.write((tx) => withdrawOrRelease(tx, world.clock.now(), id, who));
}

/** A claim whose act did not begin in time. */
const giveBack = (world: World, token: number) =>
  world.ledger.write((tx) =>
    abandonClaim(tx, world.clock.now(), token, { code: 'too-late', cause: 'it did not begin' }),
  );

const debtOf = (world: World, { id }: Message) => world.ledger.read((tx) => tx.debts.find(id));

contract('cancel', (check) => {
  check(
    'rule 34: what is queued dies as withdrawn, needs nobody, and nobody is told',
    async (world) => {
      const to = await world.add('worker');
      const message = await world.send(to);
      expect(await withdraw(world, message)).toEqual({
        outcome: 'withdrawn',
        mayHaveBeenRead: false,
      });
      const dead = await world.message(message.id);
      expect(dead).toMatchObject({ state: 'dead', reason: 'withdrawn', attempts: 0 });
      expect(dead.discardedAt).toBeDefined();
      expect(await world.path(message.id)).toEqual(['queued', 'dead']);
      const history = await world.ledger.read((tx) => tx.messages.history(message.id));
      expect(history.at(-1)).toMatchObject({ code: 'cancelled', cause: 'taken back by the user' });
      expect(await world.inbox(user)).toEqual([]);
      // Nothing is left to take.
      expect(await world.claim(to, 'native')).toEqual({ outcome: 'empty' });
      // Asked for again it is as it was.
      expect(await withdraw(world, message)).toEqual({ outcome: 'already' });
      expect(await world.path(message.id)).toEqual(['queued', 'dead']);
    },
  );

  check(
    'rules 1, 34: one that a claim has is out of reach, and the claim stays whole',
    async (world) => {
      const to = await world.add('worker');
      const message = await world.send(to);
      const { claim } = await world.take(to, 'native');
      expect(await withdraw(world, message)).toMatchObject({ outcome: 'too-late' });
      expect(await world.message(message.id)).toMatchObject({
        state: 'claimed',
        token: claim.token,
      });
      expect(await release(world, message)).toMatchObject({ outcome: 'too-late' });
    },
  );

  check('rule 34: one of which nobody knows whether it was read is out of reach', async (world) => {
    const to = await world.add('worker');
    const message = await world.send(to);
    const dying = world.process();
    await world.take(to, 'pull', { as: dying });
    world.hosts.kill(dying.host.identity.pid);
    await world.settle(to);
    expect(await world.state(message.id)).toBe('uncertain');
    expect(await withdraw(world, message)).toMatchObject({ outcome: 'too-late' });
  });

  check(
    'rules 30, 34: a task that waits is owed no longer, and its giver needs no message',
    async (world) => {
      const { lead, worker, task } = await team(world);
      expect(await withdraw(world, task, lead)).toMatchObject({ outcome: 'withdrawn' });
      expect(await debtOf(world, task)).toMatchObject({ end: 'withdrawn' });
      expect((await debtOf(world, task))?.endedBy).toBeUndefined();
      expect(await world.inbox(lead)).toEqual([]);
      expect(await world.inbox(worker)).toEqual([]);
    },
  );

  check(
    'rules 30, 31: an agent whose task the user takes back is told, and waits no more',
    async (world) => {
      const { lead, worker, task } = await team(world);
      const waiter: Waiter = {
        ...{ id: 'wait_1', holder: world.here.host.identity },
        ...{ sinceMs: world.clock.monotonicMs(), leaseMs: 100_000 },
      };
      await world.ledger.write((tx) => tx.debts.setWaiter(task.id, waiter));
      await withdraw(world, task);
      const [bounce] = await world.inbox(lead);
      expect(bounce).toMatchObject({ kind: 'bounce', reason: 'withdrawn', state: 'claimed' });
      expect(bounce?.body).toContain('it was taken back (withdrawn)');
      expect(await debtOf(world, task)).toMatchObject({ end: 'withdrawn', endedBy: bounce?.id });
      expect(await world.inbox(worker)).toEqual([]);
      expect(await world.message(task.id)).toMatchObject({ state: 'dead', reason: 'withdrawn' });
    },
  );

  for (const state of ['claimed', 'acked'] as const) {
    check(
      `rules 30, 34: a task that is ${state} is owed no longer, and its worker is sent one message`,
      async (world) => {
        const { lead, worker, task } = await team(world);
        await world.take(worker, 'native');
        if (state === 'acked') await world.ack(task.id);
        expect(await withdraw(world, task, lead)).toMatchObject({ outcome: 'too-late' });
        const done = await release(world, task, lead);
        expect(done).toMatchObject({ outcome: 'released' });
        expect(await world.state(task.id)).toBe(state);
        expect(await debtOf(world, task)).toMatchObject({ end: 'withdrawn' });
        const told = (await world.inbox(worker)).filter(({ kind }) => kind === 'notice');
        expect(told).toMatchObject([{ from: 'agt_signalbox', replyTo: [task.id], isQuiet: false }]);
        expect(told[0]?.body).toContain('was taken back by its sender');
        expect(await world.inbox(lead)).toEqual([]);
        expect(await release(world, task, lead)).toEqual({ outcome: 'already' });
        expect((await world.inbox(worker)).filter(({ kind }) => kind === 'notice')).toHaveLength(1);
      },
    );
  }

  check(
    'rule 30: taken back by the user, both the worker and the giver are told',
    async (world) => {
      const { lead, worker, task } = await team(world);
      await world.take(worker, 'native');
      await world.ack(task.id);
      await release(world, task);
      const [told] = await world.inbox(lead);
      expect(told).toMatchObject({ kind: 'notice', replyTo: [task.id] });
      expect(await debtOf(world, task)).toMatchObject({ end: 'withdrawn', endedBy: told?.id });
      expect((await world.inbox(worker)).map(({ kind }) => kind)).toEqual(['notice']);
    },
  );

  check('rule 30: an answer that has come is not taken back', async (world) => {
    const { lead, worker, task } = await team(world);
    await world.send(lead, { from: worker.id, replyTo: [task.id] });
    expect(await debtOf(world, task)).toMatchObject({ end: 'answered' });
    expect(await release(world, task, lead)).toMatchObject({ outcome: 'too-late' });
  });

  check('rule 2: what has moved meanwhile is left as it is, and nobody is told', async (world) => {
    const { lead, worker, task } = await team(world);
    const message = await world.send(worker);
    const { claim } = await world.take(worker, 'native');
    expect(claim.token).toBeDefined();
    const who = await person(world);
    if (!who) throw new Error('no user');
    for (const stale of [message, task]) {
      // As it stood before the claim.
      await world.ledger.write((tx) => takeDown(tx, world.clock.now(), stale, who));
      const now = await world.message(stale.id);
      expect(now.state).toBe('claimed');
      expect(now.discardedAt).toBeUndefined();
    }
    expect((await debtOf(world, task))?.endedAt).toBeUndefined();
    expect(await world.inbox(lead)).toEqual([]);
  });

  check(
    'rules 30, 34: a claim that gives a task back before it is taken back leaves it to die, with its debt',
    async (world) => {
      const { lead, worker, task } = await team(world);
      const { claim } = await world.take(worker, 'native');
      expect(await withdraw(world, task, lead)).toMatchObject({ outcome: 'too-late' });
      await giveBack(world, claim.token);
      expect(await release(world, task, lead)).toEqual({
        outcome: 'withdrawn',
        mayHaveBeenRead: false,
      });
      expect(await world.message(task.id)).toMatchObject({ state: 'dead', reason: 'withdrawn' });
      expect(await debtOf(world, task)).toMatchObject({ end: 'withdrawn' });
      // It never had it: nothing is to be said.
      expect(await world.inbox(worker)).toEqual([]);
    },
  );

  check(
    'rules 30, 34: one that gives it back after that leaves it to die as well: nobody is handed a task that is owed no longer',
    async (world) => {
      const { lead, worker, task } = await team(world);
      const { claim } = await world.take(worker, 'native');
      expect(await release(world, task, lead)).toMatchObject({ outcome: 'released' });
      await giveBack(world, claim.token);
      const dead = await world.message(task.id);
      expect(dead).toMatchObject({ state: 'dead', reason: 'withdrawn' });
      expect(dead.discardedAt).toBeDefined();
      expect(await world.path(task.id)).toEqual(['queued', 'claimed', 'queued', 'dead']);
      expect(await debtOf(world, task)).toMatchObject({ end: 'withdrawn' });
      expect((await world.inbox(worker)).map(({ kind }) => kind)).toEqual(['notice']);
      expect(await world.inbox(lead)).toEqual([]);
      // A person who retries it wants it all the same.
      const retried = await world.ledger.write(async (tx) => retry(tx, world.clock.now(), dead));
      expect(retried).toBe('queued');
      expect(await world.state(task.id)).toBe('queued');
    },
  );

  check(
    'rules 30, 34: a task that a person retries after it was taken back stays wanted, however often a claim gives it back',
    async (world) => {
      const { lead, worker, task } = await team(world);
      expect(await withdraw(world, task, lead)).toMatchObject({ outcome: 'withdrawn' });
      const dead = await world.message(task.id);
      await world.ledger.write(async (tx) => retry(tx, world.clock.now(), dead));
      for (const _ of [1, 2]) {
        const { claim } = await world.take(worker, 'native');
        await giveBack(world, claim.token);
        expect(await world.state(task.id)).toBe('queued');
      }
    },
  );
});
