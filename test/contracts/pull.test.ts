import { expect } from 'vitest';
import { pull } from '../../src/delivery/routes/pull.ts';
import type { Ledger } from '../../src/store/ledger.ts';
import { contract } from './world.ts';

contract('pulling', (check) => {
  check('rule 16: claimed, then injected, then printed, then acked', async (world) => {
    const worker = await world.add('worker');
    const message = await world.send(worker);
    const drain = await world.drain(worker);
    expect(drain.messages.map(({ id }) => id)).toEqual([message.id]);
    expect(await world.path(message.id)).toEqual(['queued', 'claimed', 'injected']);
    await drain.finish();
    expect(await world.path(message.id)).toEqual(['queued', 'claimed', 'injected', 'acked']);
    expect((await world.drain(worker)).messages).toEqual([]);
  });

  check(
    'rule 16: a puller that dies after injected leaves uncertain, also where rule 8 would end',
    async (world) => {
      const worker = await world.add('worker');
      const message = await world.send(worker);
      const host = world.hosts.start();
      await world.drain(worker, { as: world.process(host) });
      expect(await world.settle(worker)).toBe(0);
      world.hosts.kill(host.pid);
      await world.settle(worker);
      expect(await world.state(message.id)).toBe('uncertain');
    },
  );

  check(
    'rules 10, 18: uncertain messages are handed out again, each time marked',
    async (world) => {
      const worker = await world.add('worker');
      const message = await world.send(worker);
      for (let round = 0; round < 8; round++) {
        const host = world.hosts.start();
        const { messages } = await world.drain(worker, { as: world.process(host) });
        expect(messages).toMatchObject([{ id: message.id, mayRepeat: round > 0 }]);
        world.hosts.kill(host.pid);
      }
      const last = await world.drain(worker);
      expect(last.messages).toMatchObject([{ id: message.id, mayRepeat: true }]);
      await last.finish();
      expect(await world.message(message.id)).toMatchObject({ state: 'acked', attempts: 9 });
    },
  );

  check('rule 10: an uncertain message blocks nobody', async (world) => {
    const worker = await world.add('worker');
    const stuck = await world.send(worker);
    const host = world.hosts.start();
    await world.take(worker, 'native', { as: world.process(host) });
    world.hosts.kill(host.pid);
    await world.settle(worker);
    const next = await world.send(worker);
    const { messages } = await world.take(worker, 'native');
    expect(messages.map(({ id }) => id)).toEqual([next.id]);
    expect(await world.state(stuck.id)).toBe('uncertain');
  });

  check('rule 18, O3: drains at the same time partition the messages', async (world) => {
    const worker = await world.add('worker');
    const ids: string[] = [];
    for (let i = 0; i < 30; i++) ids.push((await world.send(worker)).id);
    const drains = await Promise.all(
      [1, 2, 3].map(() => world.drain(worker, { as: world.process(), count: 10 })),
    );
    const got = drains.flatMap(({ messages }) => messages.map(({ id }) => id));
    expect(got.toSorted()).toEqual(ids.toSorted());
    expect(drains.every(({ messages }) => messages.length === 10)).toBe(true);
  });

  check('rule 18: an ack by id always wins', async (world) => {
    const worker = await world.add('worker');
    const [a, b, c] = [
      await world.send(worker),
      await world.send(worker),
      await world.send(worker),
    ];
    await world.ack(a.id);
    const drain = await world.drain(worker);
    expect(drain.messages.map(({ id }) => id)).toEqual([b.id, c.id]);
    await world.ack(b.id);
    await drain.lose('the reader went away');
    expect([await world.state(b.id), await world.state(c.id)]).toEqual(['acked', 'uncertain']);
    expect(await world.ack(c.id, c.id, 'msg_none')).toEqual([
      { id: c.id, outcome: 'acked' },
      { id: c.id, outcome: 'already-acked' },
      { id: 'msg_none', outcome: 'unknown' },
    ]);
  });

  check(
    'rule 17: a drain is bounded by count and by bytes, and hands out at least one',
    async (world) => {
      const worker = await world.add('worker');
      for (const size of [900, 200, 200, 50]) await world.send(worker, { body: 'x'.repeat(size) });
      const sizes = async (bytes: number, count: number) => {
        const drain = await world.drain(worker, { bytes, count });
        await drain.finish();
        return drain.messages.map(({ body }) => body.length);
      };
      expect(await sizes(500, 10)).toEqual([900]);
      expect(await sizes(500, 1)).toEqual([200]);
      expect(await sizes(249, 10)).toEqual([200]);
      expect(await sizes(500, 10)).toEqual([50]);
    },
  );

  check('rule 16: a confirmation that comes too late hands out nothing', async (world) => {
    const worker = await world.add('worker');
    const message = await world.send(worker);
    // After the claim this process is stopped for half the lease.
    const stopped = watchWrites(world.ledger, (n) => {
      if (n === 1) world.clock.pass(15_000);
    });
    const drain = await pull(stopped, world.here, request(worker));
    expect(drain.messages).toEqual([]);
    await drain.finish();
    expect(await world.path(message.id)).toEqual(['queued', 'claimed', 'queued']);
  });

  check('O8: a drain of an empty inbox opens no write transaction', async (world) => {
    const worker = await world.add('worker');
    let writes = 0;
    const watched = watchWrites(world.ledger, () => {
      writes++;
    });
    await (await pull(watched, world.here, request(worker))).finish();
    expect(writes).toBe(0);
    await world.send(worker);
    await (await pull(watched, world.here, request(worker))).finish();
    expect(writes).toBe(3);
  });
});

function request(to: { id: string }) {
  return { recipient: to.id, epoch: 0, count: 10, bytes: 1000, by: 'worker' };
}

/** The same ledger; `after` runs when a write transaction is over, with its number. */
function watchWrites(ledger: Ledger, after: (n: number) => void): Ledger {
  let n = 0;
  return {
    id: ledger.id,
    read: (work) => ledger.read(work),
    write: async (work) => {
      const result = await ledger.write(work);
      after(++n);
      return result;
    },
    space: ledger.space,
    inspect: () => ledger.inspect(),
    close: () => ledger.close(),
  };
}
