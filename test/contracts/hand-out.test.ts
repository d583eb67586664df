import { expect } from 'vitest';
import type { Agent } from '../../src/agents/agent.ts';
import { recordInjected } from '../../src/delivery/claim.ts';
import { handOut } from '../../src/delivery/hand-out.ts';
import { settleHandedOut } from '../../src/delivery/settle-handed-out.ts';
import { beginEpoch, endEpoch } from '../../src/fleet/epochs.ts';
import type { Message } from '../../src/messages/message.ts';
import { contract, type World } from './world.ts';

const kib = (n: number): string => 'x'.repeat(n * 1024);

/** A drain by the agent itself, in its own terminal, as a process of its own. */
function take(world: World, agent: Agent, as = world.here, max?: number, inParts = false) {
  const { id: recipient, epoch, name: by } = agent;
  return handOut(world.ledger, as, { recipient, epoch, by, max, isInTerminal: true, inParts });
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
    'rules 13, 16: a pointer is handed out part by part, and read only with the last',
    async (world) => {
      const worker = await world.add('worker');
      const [long, other] = await point(world, worker, [kib(20), 'short']);
      const part = (message: unknown) => (message as { part?: { number: number } }).part?.number;
      const first = await take(world, worker, world.here, undefined, true);
      expect(first.messages.map(({ id }) => id)).toEqual([long?.id, other?.id]);
      expect([part(first.messages[0]), first.remaining]).toEqual([1, 1]);
      await first.finish();
      await next(world, worker);
      expect(await world.state(other?.id ?? '')).toBe('seen');
      const lost = await take(world, worker, world.here, undefined, true);
      expect(part(lost.messages[0])).toBe(2);
      await lost.lose('nobody reads it');
      expect(await world.state(long?.id ?? '')).toBe('injected');
      const again = await take(world, worker, world.here, undefined, true);
      expect([part(again.messages[0]), again.messages[0]?.mayRepeat]).toEqual([2, true]);
      await again.finish();
      const last = await take(world, worker, world.here, undefined, true);
      expect([part(last.messages[0]), last.messages[0]?.mayRepeat]).toEqual([3, false]);
      expect(last.remaining).toBe(0);
      await last.finish();
      expect(await world.state(long?.id ?? '')).toBe('injected');
      await next(world, worker);
      expect(await world.state(long?.id ?? '')).toBe('seen');
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

  check(
    'rules 16, 17: a holder that dies with a part in its hands leaves that part uncertain, and no other',
    async (world) => {
      const worker = await world.add('worker');
      const message = await world.send(worker, { body: `${'é'.repeat(15_000)}` });
      const parts = async (host = world.hosts.start()) => {
        const handed = await take(world, worker, world.process(host), undefined, true);
        const [{ part, mayRepeat, body = '' } = {}] = handed.messages;
        return { host, finish: handed.finish, said: [part?.number, mayRepeat], body };
      };
      const first = await parts();
      await first.finish();
      // Whoever handed out the first part may die: the agent has it.
      world.hosts.kill(first.host.pid);
      expect(await world.settle(worker)).toBe(0);
      const cut = await parts();
      const beside = await parts();
      expect([cut.said, beside.said]).toEqual([
        [2, false],
        [3, false],
      ]);
      await beside.finish();
      world.hosts.kill(cut.host.pid);
      const again = await parts();
      expect([again.said, again.body]).toEqual([[2, true], cut.body]);
      await again.finish();
      const last = await parts();
      expect(last.said).toEqual([4, false]);
      expect(first.body + again.body + beside.body + last.body).toBe(message.body);
      await last.finish();
      await next(world, worker);
      expect(await world.path(message.id)).toEqual(['queued', 'claimed', 'injected', 'acked']);
    },
  );

  check(
    'rule 17: a new life begins at the first part, marked; another conversation too',
    async (world) => {
      const worker = await world.add('worker');
      const message = await world.send(worker, { body: kib(20) });
      const parts = async (agent = worker) => {
        const handed = await take(world, agent, world.here, undefined, true);
        await handed.finish();
        return [handed.messages[0]?.part?.number, handed.messages[0]?.mayRepeat];
      };
      expect([await parts(), await parts()]).toEqual([
        [1, false],
        [2, false],
      ]);
      await world.ledger.write((tx) => tx.parts.doubt(worker.id));
      expect(await parts()).toEqual([1, true]);
      const epoch = await world.ledger.write(async (tx) => {
        await endEpoch(tx, world.clock.now(), worker.id);
        return beginEpoch(tx, worker.id);
      });
      expect(await world.state(message.id)).toBe('uncertain');
      const reborn = { ...worker, epoch };
      expect([await parts(reborn), await parts(reborn), await parts(reborn)]).toEqual([
        [1, true],
        [2, true],
        [3, false],
      ]);
    },
  );

  check(
    'rules 10, 42: read to its end and offered again in the same life, it begins anew, marked',
    async (world) => {
      const worker = await world.add('worker');
      const message = await world.send(worker, { body: kib(20) });
      const said: (number | undefined | boolean)[] = [];
      const read = async () => {
        const handed = await take(world, worker, world.here, undefined, true);
        said.push(handed.messages[0]?.part?.number, handed.messages[0]?.mayRepeat);
        await handed.finish();
      };
      for (let i = 0; i < 3; i++) await read();
      await world.ledger.write(async (tx) => {
        const [at, cause] = [world.clock.now(), 'no answer'];
        await tx.messages.move([message.id], {
          from: 'injected',
          to: 'uncertain',
          at,
          code: 'lost-sight',
          cause,
        });
      });
      for (let i = 0; i < 3; i++) await read();
      expect(said).toEqual([1, false, 2, false, 3, false, 1, true, 2, true, 3, true]);
      await next(world, worker);
      expect(await world.state(message.id)).toBe('acked');
    },
  );

  check(
    'rules 4, 8, 13: a pointer that no proof can be had of is not at its end with the life that read its name',
    async (world) => {
      const worker = await world.add('worker');
      const [long] = await point(world, worker, [kib(20)]);
      await world.ledger.write((tx) => endEpoch(tx, world.clock.now(), worker.id));
      expect(await world.state(long?.id ?? '')).toBe('uncertain');
    },
  );

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
