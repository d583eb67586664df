import { expect } from 'vitest';
import { setParent } from '../../src/fleet/add.ts';
import { finishRemovals, remove } from '../../src/fleet/remove.ts';
import { contract, user } from './world.ts';

contract('agents', (check) => {
  check('names are unique among the living, ids for ever, in order of time', async (world) => {
    const first = await world.add('worker');
    await expect(world.add('worker')).rejects.toMatchObject({ code: 'name-taken' });
    await remove(world.ledger, world.here, first.id);
    const second = await world.add('worker');
    expect(second.id > first.id).toBe(true);
    const found = await world.ledger.read(async (tx) => (await tx.agents.listByName('worker'))[0]);
    expect(found?.id).toBe(second.id);
  });

  check('the user is always there and is not removed', async (world) => {
    const agents = await world.ledger.read((tx) => tx.agents.list());
    expect(agents).toMatchObject([
      { id: user.id, name: 'user', provider: 'none', backend: 'none', status: 'unknown', epoch: 0 },
    ]);
    await expect(remove(world.ledger, world.here, user.id)).rejects.toMatchObject({
      code: 'not-allowed',
    });
  });

  check('rule 29: a parent of itself, or a cycle, is refused when it is set', async (world) => {
    const top = await world.add('top');
    const middle = await world.add('middle', { parent: top });
    const bottom = await world.add('bottom', { parent: middle });
    for (const parent of [top, middle, bottom]) {
      await expect(setParent(world.ledger, top.id, parent.id)).rejects.toMatchObject({
        code: 'parent-cycle',
      });
    }
    await setParent(world.ledger, bottom.id, top.id);
    await setParent(world.ledger, middle.id, bottom.id);
    const found = await world.ledger.read((tx) => tx.agents.find(middle.id));
    expect(found?.parent).toBe(bottom.id);
  });

  check(
    'rule 29: removing a parent hands its children to its own parent, or leaves them alone',
    async (world) => {
      const top = await world.add('top');
      const middle = await world.add('middle', { parent: top });
      const bottom = await world.add('bottom', { parent: middle });
      const parentOf = async (id: string) =>
        (await world.ledger.read((tx) => tx.agents.find(id)))?.parent;
      await remove(world.ledger, world.here, middle.id);
      expect(await parentOf(bottom.id)).toBe(top.id);
      await remove(world.ledger, world.here, top.id);
      expect(await parentOf(bottom.id)).toBeUndefined();
    },
  );

  check(
    'rules 34, 35, O12: removing an agent settles its inbox and tells the senders',
    async (world) => {
      const [worker, sender] = [await world.add('worker'), await world.add('sender')];
      const child = await world.add('child', { parent: worker });
      const uncertain = await world.send(worker, { from: sender.id, body: 'maybe read' });
      const host = world.hosts.start();
      await world.take(worker, 'native', { as: world.process(host) });
      world.hosts.kill(host.pid);
      await world.settle(worker);
      const queued = await world.send(worker, { from: sender.id, body: 'never read' });
      const acked = await world.send(worker, { from: sender.id });
      await world.ack(acked.id);

      const removed = await remove(world.ledger, world.here, worker.id);
      expect(removed.settled).toBe(2);
      expect(await world.message(queued.id)).toMatchObject({
        state: 'dead',
        reason: 'recipient_removed',
      });
      expect(await world.state(uncertain.id)).toBe('dead');
      expect(await world.state(acked.id)).toBe('acked');
      const bounces = await world.inbox(sender);
      expect(bounces.map(({ replyTo }) => replyTo)).toEqual([[uncertain.id], [queued.id]]);
      expect(bounces[0]?.body).toContain('may have been read');
      expect(bounces[1]?.body).not.toContain('may have been read');
      expect(await world.inbox(child)).toEqual([]);
      await expect(remove(world.ledger, world.here, worker.id)).rejects.toMatchObject({
        code: 'agent-not-found',
      });
    },
  );

  check('rule 35: a removal lets the attempt in flight end, for five seconds', async (world) => {
    const worker = await world.add('worker');
    const message = await world.send(worker);
    const drain = await world.drain(worker);
    const before = world.clock.monotonicMs();
    await remove(world.ledger, world.here, worker.id);
    expect(world.clock.monotonicMs() - before).toBeGreaterThanOrEqual(5000);
    expect(await world.state(message.id)).toBe('dead');
    await drain.finish();
    // Rule 36: the proof came late, and wins.
    expect(await world.state(message.id)).toBe('acked');
    expect((await world.inbox(user)).map(({ kind }) => kind)).toEqual(['bounce', 'notice']);
  });

  check(
    'O12: a large inbox is settled whole, and a removal that was cut short is finished',
    async (world) => {
      const worker = await world.add('worker');
      for (let i = 0; i < 450; i++) await world.send(worker);
      let writes = 0;
      const failing = Object.assign(Object.create(world.ledger) as typeof world.ledger, {
        read: world.ledger.read.bind(world.ledger),
        write: (work: Parameters<typeof world.ledger.write>[0]) => {
          // The removal itself and its first batch are one transaction; the next one fails.
          if (++writes === 2) return Promise.reject(new Error('disk full'));
          return world.ledger.write(work);
        },
      });
      await expect(remove(failing, world.here, worker.id)).rejects.toThrow('disk full');
      expect(await world.inbox(worker)).toHaveLength(250);
      expect(await finishRemovals(world.ledger, world.here)).toBe(250);
      expect(await world.inbox(worker)).toEqual([]);
      expect(await world.inbox(user)).toHaveLength(450);
      expect(await finishRemovals(world.ledger, world.here)).toBe(0);
    },
  );
});
