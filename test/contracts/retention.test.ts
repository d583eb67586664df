import { expect } from 'vitest';
import { bury } from '../../src/delivery/bury.ts';
import { recordInjected } from '../../src/delivery/claim.ts';
import { prune, pruneInPassing } from '../../src/delivery/prune.ts';
import { contract, user } from './world.ts';

const day = 86_400_000;

contract('retention', (check) => {
  check(
    'settled messages are pruned after the retention, with history, attempts and key',
    async (world) => {
      const worker = await world.add('worker');
      const old = await world.send(worker, { key: 'k' });
      const open = await world.send(worker, { body: 'still open' });
      await world.ack(old.id);
      world.clock.pass(14 * day);
      const young = await world.send(worker, { body: 'young' });
      await world.ack(young.id);
      expect(await prune(world.ledger, world.clock, 14 * day)).toBe(0);
      world.clock.pass(1);
      expect(await prune(world.ledger, world.clock, 14 * day)).toBe(1);
      await expect(world.message(old.id)).rejects.toThrow('no message');
      expect(await world.path(old.id)).toEqual([]);
      expect([await world.state(open.id), await world.state(young.id)]).toEqual([
        'queued',
        'acked',
      ]);
      expect(await world.accept({ to: worker.id, key: 'k' })).toMatchObject({
        outcome: 'accepted',
      });
    },
  );

  check(
    'rule 30: a task stays as long as it is owed, so that its answer is still known for one',
    async (world) => {
      const worker = await world.add('worker');
      const task = await world.send(worker, { kind: 'task' });
      await world.ack(task.id);
      await world.send(worker);
      world.clock.pass(30 * day);
      expect(await prune(world.ledger, world.clock, 14 * day)).toBe(0);
      const reply = { to: user.id, from: worker.id, replyTo: [task.id] };
      expect(await world.accept(reply)).toMatchObject({ outcome: 'accepted' });
      expect(await prune(world.ledger, world.clock, 14 * day)).toBe(1);
      expect(await world.ledger.read((tx) => tx.debts.find(task.id))).toBeUndefined();
    },
  );

  check('retention counts from the settling, not from the sending', async (world) => {
    const worker = await world.add('worker');
    const message = await world.send(worker);
    await world.send(worker);
    world.clock.pass(100 * day);
    await world.ack(message.id);
    world.clock.pass(13 * day);
    expect(await prune(world.ledger, world.clock, 14 * day)).toBe(0);
    world.clock.pass(2 * day);
    expect(await prune(world.ledger, world.clock, 14 * day)).toBe(1);
  });

  check(
    'without a daemon every command takes its share in passing, and more than was sent since',
    async (world) => {
      const worker = await world.add('worker');
      for (let i = 0; i < 650; i++) await world.ack((await world.send(worker)).id);
      await world.send(worker);
      world.clock.pass(30 * day);
      const pass = async () => {
        const did = await pruneInPassing(world.ledger, world.clock, 14 * day);
        const states = { states: ['acked'], limit: 0 } as const;
        return [did, await world.ledger.read((tx) => tx.messages.count(states))];
      };
      expect(await pass()).toEqual(['round', 450]);
      expect(await pass()).toEqual(['share', 250]);
      expect(await pass()).toEqual(['share', 50]);
      // Fewer than a share: that has time until the next hour.
      expect(await pass()).toEqual([undefined, 50]);
      world.clock.setWall(world.clock.now() - 2 * day);
      expect(await pass()).toEqual(['round', 0]);
    },
  );

  check('one transaction is bounded in messages and in bytes of bodies', async (world) => {
    const worker = await world.add('worker');
    const sizes = [60_000, 60_000, 60_000, 10, 10, 10, 10];
    for (const size of sizes)
      await world.ack((await world.send(worker, { body: 'é'.repeat(size / 2) })).id);
    await world.send(worker);
    const prune = (count: number, bytes: number) =>
      world.ledger.write((tx) =>
        tx.messages.prune(world.clock.now() + 1, { count, bytes, letters: 0 }),
      );
    expect(await prune(100, 130_000)).toEqual({ count: 2, hasMore: true });
    expect(await prune(100, 100)).toEqual({ count: 1, hasMore: true });
    expect(await prune(3, 130_000)).toEqual({ count: 3, hasMore: true });
    expect(await prune(3, 130_000)).toEqual({ count: 1, hasMore: false });
    expect(await prune(3, 130_000)).toEqual({ count: 0, hasMore: false });
  });

  check('what is open stays, however old', async (world) => {
    const worker = await world.add('worker');
    const kept: string[] = [];
    // Claimed, then injected and waiting for its proof, then of unknown fate; the last is queued.
    for (const route of ['pull', 'paste'] as const) {
      kept.push((await world.send(worker)).id);
      const { claim } = await world.take(worker, route);
      if (route === 'paste')
        await world.ledger.write((tx) => recordInjected(tx, world.clock.now(), claim.token, 'in'));
    }
    kept.push((await world.send(worker)).id);
    world.clock.pass(100 * day);
    expect(await prune(world.ledger, world.clock, 14 * day)).toBe(0);
    const states = async () => Promise.all(kept.map((id) => world.state(id)));
    expect(await states()).toEqual(['claimed', 'injected', 'queued']);
    await world.settle(worker);
    expect(await states()).toEqual(['uncertain', 'injected', 'queued']);
    world.clock.pass(100 * day);
    expect(await prune(world.ledger, world.clock, 14 * day)).toBe(0);
  });

  check(
    'rule 8: sent and never to be confirmed is an end, and follows retention from the act on',
    async (world) => {
      const worker = await world.add('worker');
      const { id } = await world.send(worker);
      world.clock.pass(20 * day);
      const { claim } = await world.take(worker, 'paste', { provable: false });
      await world.ledger.write((tx) => recordInjected(tx, world.clock.now(), claim.token, 'in'));
      await world.send(worker);
      world.clock.pass(10 * day);
      expect(await prune(world.ledger, world.clock, 14 * day)).toBe(0);
      world.clock.pass(5 * day);
      expect(await prune(world.ledger, world.clock, 14 * day)).toBe(1);
      await expect(world.message(id)).rejects.toThrow('no message');
    },
  );

  check(
    'a dead letter stays until somebody has discarded it, and from then on for the retention',
    async (world) => {
      const worker = await world.add('worker');
      const [first, second] = [await world.send(worker), await world.send(worker)];
      await world.ledger.write(async (tx) => {
        for (const one of [first, second])
          await bury(tx, world.clock.now(), one, 'refused', {
            code: 'not-landed',
            cause: 'the test',
          });
      });
      // Their bounces, which the user has read, go like any other message.
      for (const bounce of await world.inbox(user)) await world.ack(bounce.id);
      world.clock.pass(30 * day);
      await world.send(worker);
      expect(await prune(world.ledger, world.clock, 14 * day)).toBe(2);
      await world.ledger.write((tx) => tx.messages.setDiscarded(first.id, world.clock.now()));
      await world.send(worker);
      expect(await prune(world.ledger, world.clock, 14 * day)).toBe(0);
      world.clock.pass(15 * day);
      expect(await prune(world.ledger, world.clock, 14 * day)).toBe(1);
      expect(await world.state(second.id)).toBe('dead');
    },
  );

  check('of very many dead letters the oldest follow retention all the same', async (world) => {
    const worker = await world.add('worker');
    const ids: string[] = [];
    for (let i = 0; i < 4; i++) {
      const message = await world.send(worker);
      await world.ledger.write((tx) =>
        bury(tx, world.clock.now(), message, 'refused', { code: 'not-landed', cause: 'the test' }),
      );
      ids.push(message.id);
    }
    for (const bounce of await world.inbox(user)) await world.ack(bounce.id);
    await world.send(worker);
    const bound = { count: 100, bytes: 1e6, letters: 3 };
    await world.ledger.write((tx) => tx.messages.prune(world.clock.now() + 1, bound));
    await expect(world.message(ids[0] ?? '')).rejects.toThrow('no message');
    for (const id of ids.slice(1)) expect(await world.state(id)).toBe('dead');
  });

  check('fencing tokens are never handed out again after pruning', async (world) => {
    const worker = await world.add('worker');
    let last = 0;
    for (let round = 0; round < 3; round++) {
      await world.send(worker);
      const drain = await world.drain(worker);
      await drain.finish();
      const token = drain.messages[0]?.token ?? 0;
      expect(token).toBeGreaterThan(last);
      last = token;
      world.clock.pass(30 * day);
      await prune(world.ledger, world.clock, 14 * day);
    }
  });
});
