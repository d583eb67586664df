import { expect } from 'vitest';
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
    'it goes in small transactions, and a command does only a share of it in passing',
    async (world) => {
      const worker = await world.add('worker');
      for (let i = 0; i < 1300; i++) await world.ack((await world.send(worker)).id);
      await world.send(worker);
      world.clock.pass(30 * day);
      const left = async () =>
        world.ledger.read((tx) => tx.messages.count({ states: ['acked'], limit: 0 }));
      await pruneInPassing(world.ledger, world.clock, 14 * day);
      expect(await left()).toBe(300);
      await pruneInPassing(world.ledger, world.clock, 14 * day);
      expect(await left()).toBe(300);
      world.clock.setWall(world.clock.now() - 2 * day);
      await pruneInPassing(world.ledger, world.clock, 14 * day);
      expect(await left()).toBe(0);
    },
  );

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
