import { expect } from 'vitest';
import { type Agent, signalbox } from '../../src/agents/agent.ts';
import { recordInjected } from '../../src/delivery/claim.ts';
import { discard, retry } from '../../src/delivery/dead-letters.ts';
import { prove } from '../../src/delivery/prove.ts';
import { maxNotLanded, resolve, type Verdict } from '../../src/delivery/resolve.ts';
import { beginEpoch, endEpoch } from '../../src/fleet/epochs.ts';
import type { Claim } from '../../src/messages/claim.ts';
import { contract, user, type World } from './world.ts';

/** One attempt on a route that puts text into the conversation, up to `injected`. */
async function inject(world: World, to: Agent, provable = true): Promise<Claim> {
  const { claim } = await world.take(to, 'native', { provable, epoch: to.epoch });
  await world.ledger.write((tx) => recordInjected(tx, world.clock.now(), claim.token, 'taken'));
  return claim;
}

async function judge(world: World, id: string, verdict: Verdict): Promise<string> {
  const message = await world.message(id);
  const now = world.clock.now();
  return world.ledger.write((tx) => resolve(tx, now, message, verdict, 'the test says so'));
}

function proveMark(world: World, mark: string): Promise<readonly string[]> {
  const proof = { mark, evidence: 'assistant item 7 of turn 3' };
  return world.ledger.write((tx) => prove(tx, world.clock.now(), proof));
}

async function loseAttempt(
  world: World,
  to: Agent,
  more: { readonly provable?: boolean } = {},
): Promise<Claim> {
  const host = world.hosts.start();
  const { claim } = await world.take(to, 'native', { as: world.process(host), ...more });
  world.hosts.kill(host.pid);
  await world.settle(to);
  return claim;
}

contract('settling', (check) => {
  check('rule 5: without a time to live nothing expires', async (world) => {
    const worker = await world.add('worker');
    const message = await world.send(worker);
    world.clock.pass(10 * 365 * 86_400_000);
    expect(await world.settle(worker)).toBe(0);
    expect(await world.state(message.id)).toBe('queued');
  });

  check(
    'rules 5, 34: past its time to live a queued message expires and bounces',
    async (world) => {
      const [worker, sender] = [await world.add('worker'), await world.add('sender')];
      const expiresAt = world.clock.now() + 1000;
      const message = await world.send(worker, { from: sender.id, expiresAt });
      world.clock.pass(999);
      expect(await world.settle(worker)).toBe(0);
      world.clock.pass(1);
      await world.settle(worker);
      expect(await world.state(message.id)).toBe('expired');
      const [bounce] = await world.inbox(sender);
      expect(bounce).toMatchObject({ kind: 'bounce', replyTo: [message.id], from: signalbox.id });
      expect(bounce?.body).toContain(message.id);
      expect(bounce?.body).not.toContain('may have been read');
    },
  );

  check('rule 5: the time to live is judged only in queued', async (world) => {
    const worker = await world.add('worker');
    const message = await world.send(worker, { expiresAt: world.clock.now() + 1000 });
    const claim = await inject(world, worker);
    world.clock.pass(2000);
    expect(await world.settle(worker)).toBe(0);
    expect(await proveMark(world, claim.mark)).toEqual([message.id]);
  });

  check(
    'rule 5: an overdue message is not handed out, nor one of more than are settled at once',
    async (world) => {
      const worker = await world.add('worker');
      const expiresAt = world.clock.now() + 1000;
      for (let i = 0; i < 600; i++) await world.send(worker, { expiresAt });
      const living = await world.send(worker);
      world.clock.pass(1000);
      const { messages } = await world.drain(worker);
      expect(messages.map(({ id }) => id)).toEqual([living.id]);
      expect(await world.take(worker, 'native').catch((error: Error) => error.message)).toBe(
        'empty',
      );
    },
  );

  check('a long body comes back whole, through every state', async (world) => {
    const worker = await world.add('worker');
    const body = 'ä€😀'.repeat(40_000);
    const message = await world.send(worker, { body });
    const drain = await world.drain(worker);
    expect(drain.messages[0]?.body).toBe(body);
    await drain.finish();
    expect((await world.message(message.id)).body).toBe(body);
    const query = { states: ['acked'], limit: 10, bytes: 1 } as const;
    expect(await world.ledger.read((tx) => tx.messages.list(query))).toHaveLength(1);
  });

  check('rules 6, 7: proof of an attempt makes seen, with its evidence', async (world) => {
    const worker = await world.add('worker');
    const message = await world.send(worker);
    const claim = await inject(world, worker);
    expect(await proveMark(world, 'mark_forged')).toEqual([]);
    expect(await proveMark(world, claim.mark)).toEqual([message.id]);
    expect(await world.message(message.id)).toMatchObject({ state: 'seen', inContext: true });
    const history = await world.ledger.read((tx) => tx.messages.history(message.id));
    expect(history.at(-1)).toMatchObject({ to: 'seen', evidence: 'assistant item 7 of turn 3' });
    expect(await proveMark(world, claim.mark)).toEqual([]);
    expect(await world.ack(message.id)).toEqual([{ id: message.id, outcome: 'acked' }]);
  });

  check('rule 7: a re-offer closes no earlier mark; one proven not landed does', async (world) => {
    const worker = await world.add('worker');
    const message = await world.send(worker);
    const first = await inject(world, worker);
    expect(await judge(world, message.id, 'absent')).toBe('queued');
    const second = await loseAttempt(world, worker);
    expect(await judge(world, message.id, 'no-proof')).toBe('queued');
    expect(await proveMark(world, first.mark)).toEqual([]);
    expect(await proveMark(world, second.mark)).toEqual([message.id]);
    expect(await world.state(message.id)).toBe('seen');
  });

  check(
    'late proof of an earlier attempt abandons the claim that holds the message now',
    async (world) => {
      const worker = await world.add('worker');
      const message = await world.send(worker);
      const first = await loseAttempt(world, worker);
      await judge(world, message.id, 'no-proof');
      const second = await world.take(worker, 'native');
      expect(await proveMark(world, first.mark)).toEqual([message.id]);
      const attempts = await world.ledger.read((tx) => tx.claims.listAttempts(message.id));
      expect(attempts.map(({ outcome }) => outcome)).toEqual(['seen', 'abandoned']);
      const now = world.clock.now();
      expect(
        await world.ledger.write((tx) => recordInjected(tx, now, second.claim.token, 'x')),
      ).toEqual([]);
      expect(await world.state(message.id)).toBe('seen');
    },
  );

  check('an act that had begun when late proof came is not called abandoned', async (world) => {
    const worker = await world.add('worker');
    const message = await world.send(worker);
    const first = await loseAttempt(world, worker);
    await judge(world, message.id, 'no-proof');
    const { claim } = await world.take(worker, 'paste');
    await world.ledger.write((tx) => tx.claims.note(claim.token, { step: 'pasted' }));
    await proveMark(world, first.mark);
    const attempts = await world.ledger.read((tx) => tx.claims.listAttempts(message.id));
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['seen', 'uncertain']);
  });

  check('rule 10: proven absent is queued again, unmarked', async (world) => {
    const worker = await world.add('worker');
    const message = await world.send(worker);
    await loseAttempt(world, worker);
    expect(await judge(world, message.id, 'absent')).toBe('queued');
    expect(await world.message(message.id)).toMatchObject({ mayRepeat: false, notLanded: 1 });
  });

  check('rule 10: still held by the agent is injected again', async (world) => {
    const worker = await world.add('worker');
    const message = await world.send(worker);
    await loseAttempt(world, worker);
    expect(await judge(world, message.id, 'held')).toBe('injected');
  });

  check(
    'rules 10, 34: without proof one re-offer, marked; uncertain again, it is dead',
    async (world) => {
      const [worker, sender] = [await world.add('worker'), await world.add('sender')];
      const message = await world.send(worker, { from: sender.id });
      await loseAttempt(world, worker);
      expect(await judge(world, message.id, 'no-proof')).toBe('queued');
      expect(await world.message(message.id)).toMatchObject({ mayRepeat: true, reoffered: true });
      await loseAttempt(world, worker);
      expect(await judge(world, message.id, 'no-proof')).toBe('dead');
      expect(await world.message(message.id)).toMatchObject({ reason: 'attempts_exhausted' });
      const [bounce] = await world.inbox(sender);
      expect(bounce?.body).toContain('may have been read');
    },
  );

  check('rule 34: a program without records gets up to three marked copies', async (world) => {
    const worker = await world.add('worker');
    const message = await world.send(worker);
    for (let copy = 1; copy <= 3; copy++) {
      await loseAttempt(world, worker, { provable: false });
      expect(await judge(world, message.id, 'no-proof')).toBe('queued');
      expect(await world.message(message.id)).toMatchObject({ mayRepeat: true });
    }
    await loseAttempt(world, worker, { provable: false });
    expect(await judge(world, message.id, 'no-proof')).toBe('dead');
  });

  check('rule 34, D3: five attempts proven not landed, and no sixth', async (world) => {
    const worker = await world.add('worker');
    const message = await world.send(worker);
    for (let n = 1; n < maxNotLanded; n++) {
      await inject(world, worker);
      expect(await judge(world, message.id, 'absent')).toBe('queued');
    }
    const last = await inject(world, worker);
    expect(await judge(world, message.id, 'absent')).toBe('dead');
    expect(await world.message(message.id)).toMatchObject({
      reason: 'attempts_exhausted',
      attempts: maxNotLanded,
    });
    const [bounce] = await world.inbox(user);
    expect(bounce).toMatchObject({ kind: 'bounce', reason: 'attempts_exhausted' });
    expect(await proveMark(world, last.mark)).toEqual([]);
  });

  check('rule 34: bounces never bounce, and a dead bounce needs no attention', async (world) => {
    const [worker, sender] = [await world.add('worker'), await world.add('sender')];
    const expiresAt = world.clock.now() + 1;
    await world.send(worker, { from: sender.id, expiresAt });
    world.clock.pass(1);
    await world.settle(worker);
    const [bounce] = await world.inbox(sender);
    const { remove } = await import('../../src/fleet/remove.ts');
    await remove(world.ledger, world.here, sender.id);
    expect(await world.state(bounce?.id ?? '')).toBe('dead');
    expect(await world.inbox(worker)).toEqual([]);
    const query = { states: ['dead'], limit: 0 } as const;
    const count = (lettersOnly: boolean) =>
      world.ledger.read((tx) => tx.messages.count({ ...query, lettersOnly }));
    expect([await count(false), await count(true)]).toEqual([1, 0]);
  });

  check(
    'rule 36: late proof wins over dead and expired, and the sender is told again',
    async (world) => {
      const [worker, sender] = [await world.add('worker'), await world.add('sender')];
      const message = await world.send(worker, { from: sender.id });
      const first = await loseAttempt(world, worker);
      await judge(world, message.id, 'no-proof');
      await loseAttempt(world, worker);
      await judge(world, message.id, 'no-proof');
      expect(await world.state(message.id)).toBe('dead');
      expect(await proveMark(world, first.mark)).toEqual([message.id]);
      expect((await world.inbox(sender)).map(({ kind }) => kind)).toEqual(['bounce', 'notice']);

      const late = await world.send(worker, { from: sender.id, expiresAt: world.clock.now() + 1 });
      world.clock.pass(1);
      await world.settle(worker);
      expect(await world.state(late.id)).toBe('expired');
      await world.ack(late.id);
      expect(await world.path(late.id)).toEqual(['queued', 'expired', 'acked']);
      expect((await world.inbox(sender)).at(-1)).toMatchObject({ kind: 'notice' });
    },
  );

  check(
    'rule 4: when an epoch ends, what is claimed or injected and unproven is uncertain',
    async (world) => {
      const worker = await world.add('worker');
      const injected = await world.send(worker);
      const claim = await inject(world, worker);
      const claimed = await world.send(worker);
      await world.take(worker, 'native');
      const now = world.clock.now();
      expect(await world.ledger.write((tx) => endEpoch(tx, now, worker.id))).toBe(2);
      expect([await world.state(injected.id), await world.state(claimed.id)]).toEqual([
        'uncertain',
        'uncertain',
      ]);
      expect(await world.ledger.write((tx) => beginEpoch(tx, worker.id))).toBe(1);
      await proveMark(world, claim.mark);
      expect(await world.message(injected.id)).toMatchObject({ state: 'seen', inContext: false });
    },
  );

  check(
    'rules 4, 8: where no proof can exist, injected is the end, also after the epoch',
    async (world) => {
      const worker = await world.add('worker');
      const message = await world.send(worker);
      await inject(world, worker, false);
      const now = world.clock.now();
      expect(await world.ledger.write((tx) => endEpoch(tx, now, worker.id))).toBe(0);
      expect(await world.state(message.id)).toBe('injected');
    },
  );

  check(
    'O6: a dead letter can be retried and discarded, and forgets its attempts when retried',
    async (world) => {
      const worker = await world.add('worker');
      const message = await world.send(worker, { expiresAt: world.clock.now() + 1 });
      world.clock.pass(1);
      await world.settle(worker);
      const now = world.clock.now();
      const again = await world.message(message.id);
      expect(await world.ledger.write((tx) => discard(tx, now, again))).toBe('discarded');
      const letters = { states: ['expired'], limit: 10 } as const;
      expect(await world.ledger.read((tx) => tx.messages.list(letters))).toEqual([]);
      expect(await world.ledger.write((tx) => retry(tx, now, again))).toBe('queued');
      world.clock.pass(1000);
      expect(await world.settle(worker)).toBe(0);
      const revived = await world.message(message.id);
      expect(revived.expiresAt).toBeUndefined();
      expect(revived.discardedAt).toBeUndefined();
      expect(await world.ledger.write((tx) => retry(tx, now, revived))).toBe('wrong-state');
    },
  );
});
