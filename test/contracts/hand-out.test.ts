import { expect } from 'vitest';
import type { Agent } from '../../src/agents/agent.ts';
import { recordInjected } from '../../src/delivery/claim.ts';
import { handOut } from '../../src/delivery/hand-out.ts';
import { settleHandedOut } from '../../src/delivery/settle-handed-out.ts';
import { endEpoch } from '../../src/fleet/epochs.ts';
import type { Message } from '../../src/messages/message.ts';
import { contract, type World } from './world.ts';

const kib = (n: number): string => 'x'.repeat(n * 1024);

/** A drain by the agent itself, in its own terminal, as a process of its own. */
function take(world: World, agent: Agent, as = world.here, max?: number) {
  const { id: recipient, epoch, name: by } = agent;
  return handOut(world.ledger, as, { recipient, epoch, by, max, isInTerminal: true });
}

const next = (world: World, agent: Agent): Promise<number> =>
  settleHandedOut({ ledger: world.ledger, surroundings: world.here }, agent.id);

/** Sent, and named to the model in one line. */
async function point(world: World, agent: Agent, bodies: readonly string[]): Promise<Message[]> {
  const sent: Message[] = [];
  for (const body of bodies) sent.push(await world.send(agent, { body }));
  const { claim } = await world.take(agent, 'paste', { provable: false });
  await world.ledger.write(async (tx) => {
    await tx.claims.setPointers(
      sent.map(({ id }) => id),
      claim.token,
    );
    await recordInjected(tx, world.clock.now(), claim.token, 'pasted');
  });
  return sent;
}

contract('handing out in a terminal', (check) => {
  check(
    'rule 17: what was printed stays injected, and the next call answers for it',
    async (world) => {
      const worker = await world.add('worker');
      const message = await world.send(worker);
      const handed = await take(world, worker);
      expect(handed).toMatchObject({ messages: [{ id: message.id }], remaining: 0 });
      await handed.finish();
      expect(await world.state(message.id)).toBe('injected');
      expect((await take(world, worker)).messages).toEqual([]);
      expect(await next(world, worker)).toBe(1);
      expect(await world.path(message.id)).toEqual(['queued', 'claimed', 'injected', 'acked']);
      expect(await next(world, worker)).toBe(0);
    },
  );

  check('rule 17: the command may end; the end of the life makes it uncertain', async (world) => {
    const worker = await world.add('worker');
    const message = await world.send(worker);
    const host = world.hosts.start();
    const handed = await take(world, worker, world.process(host));
    await handed.finish();
    world.hosts.kill(host.pid);
    world.clock.pass(3_600_000);
    expect(await world.settle(worker)).toBe(0);
    expect(await world.state(message.id)).toBe('injected');
    await world.ledger.write((tx) => endEpoch(tx, world.clock.now(), worker.id));
    expect(await world.state(message.id)).toBe('uncertain');
    expect((await take(world, worker)).messages).toMatchObject([
      { id: message.id, mayRepeat: true },
    ]);
  });

  check(
    'rule 16: what was taken and not printed is nobody’s, whatever the agent calls',
    async (world) => {
      const worker = await world.add('worker');
      const message = await world.send(worker);
      const host = world.hosts.start();
      await take(world, worker, world.process(host));
      expect(await next(world, worker)).toBe(0);
      expect(await world.state(message.id)).toBe('injected');
      world.hosts.kill(host.pid);
      expect(await world.settle(worker)).toBe(1);
      expect(await world.state(message.id)).toBe('uncertain');
    },
  );

  check('rule 18: an ack by id always wins', async (world) => {
    const worker = await world.add('worker');
    const message = await world.send(worker);
    await (await take(world, worker)).finish();
    await world.ack(message.id);
    expect(await next(world, worker)).toBe(0);
    expect(await world.state(message.id)).toBe('acked');
  });

  check('rule 17: at most 16 KB, at least one message, and how many remain', async (world) => {
    const worker = await world.add('worker');
    for (const body of [kib(40), kib(6), kib(6), kib(6), 'short'])
      await world.send(worker, { body });
    const sizes = async () => {
      const handed = await take(world, worker);
      await handed.finish();
      return [handed.messages.map(({ body }) => body.length), handed.remaining];
    };
    expect(await sizes()).toEqual([[40 * 1024], 4]);
    expect(await sizes()).toEqual([[6 * 1024, 6 * 1024], 2]);
    expect(await sizes()).toEqual([[6 * 1024, 5], 0]);
    for (let i = 0; i < 100; i++) await world.send(worker, { body: 'x' });
    const many = await take(world, worker);
    expect(many.messages.length * 130).toBeLessThan(16 * 1024);
    expect(many.remaining).toBe(100 - many.messages.length);
    expect((await take(world, worker, world.here, 2)).messages).toHaveLength(2);
  });

  check(
    'rule 13: bodies of pointers come first, and stay on the route that named them',
    async (world) => {
      const worker = await world.add('worker');
      const [named] = await point(world, worker, [kib(9)]);
      const sent = await world.send(worker, { body: 'later' });
      const handed = await take(world, worker);
      expect(handed.messages.map(({ id }) => id)).toEqual([named?.id, sent.id]);
      await handed.finish();
      expect(await world.path(named?.id ?? '')).toEqual(['queued', 'claimed', 'injected']);
      await next(world, worker);
      expect(await world.state(named?.id ?? '')).toBe('seen');
      expect(await world.state(sent.id)).toBe('acked');
    },
  );

  check(
    'rule 13: until its body was shown to its end, a pointer is handed out again',
    async (world) => {
      const worker = await world.add('worker');
      const [long, other] = await point(world, worker, [kib(30), 'short']);
      const handed = await take(world, worker);
      expect(handed).toMatchObject({ messages: [{ id: long?.id }], remaining: 1 });
      await handed.finish([long?.id ?? '']);
      expect(await next(world, worker)).toBe(0);
      const again = await take(world, worker);
      expect(again.messages.map(({ id }) => id)).toEqual([long?.id]);
      await again.finish();
      const rest = await take(world, worker);
      expect(rest.messages.map(({ id }) => id)).toEqual([other?.id]);
      await rest.lose('nobody reads it');
      expect(await world.state(other?.id ?? '')).toBe('injected');
    },
  );

  check('rule 17: beside pointers nothing is pulled that does not fit', async (world) => {
    const worker = await world.add('worker');
    await point(world, worker, [kib(8)]);
    const long = await world.send(worker, { body: kib(9) });
    const first = await take(world, worker);
    expect([first.messages.length, first.remaining]).toEqual([1, 1]);
    await first.finish();
    expect((await take(world, worker)).messages).toMatchObject([{ id: long.id }]);
  });

  check('outside a terminal nothing changes: acked once it was flushed', async (world) => {
    const worker = await world.add('worker');
    await point(world, worker, ['a pointer']);
    const message = await world.send(worker);
    const request = { recipient: worker.id, epoch: 0, by: 'user for worker', max: undefined };
    const handed = await handOut(world.ledger, world.here, { ...request, isInTerminal: false });
    expect(handed.messages.map(({ id }) => id)).toEqual([message.id]);
    await handed.finish();
    expect(await world.state(message.id)).toBe('acked');
  });
});
