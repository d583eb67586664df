import { expect } from 'vitest';
import { discard } from '../../src/delivery/dead-letters.ts';
import { remove } from '../../src/fleet/remove.ts';
import { type Change, keptChanges } from '../../src/messages/change-store.ts';
import { contract, user, type World } from './world.ts';

async function newest({ ledger }: World): Promise<number> {
  return ledger.read((tx) => tx.changes.newest());
}

async function listAfter({ ledger }: World, after: number, limit = 1000) {
  return ledger.read((tx) => tx.changes.listAfter(after, limit));
}

async function listed(world: World, after: number): Promise<readonly Change[]> {
  const changes = await listAfter(world, after);
  if (changes === 'unknown') throw new Error(`${after} is not known`);
  return changes;
}

const ago = (world: World, ms: number) => world.clock.now() - ms;

contract('what changed, in one order', (check) => {
  check(
    'B4: each move of each message has a number of its own, in the order of commits',
    async (world) => {
      const worker = await world.add('worker');
      const before = await newest(world);
      const first = await world.send(worker);
      const second = await world.send(worker);
      await world.ack(first.id);
      const changes = await listed(world, before);
      expect(changes.map(({ message }) => message)).toEqual([first.id, second.id, first.id]);
      const numbers = changes.map(({ number }) => number);
      expect(numbers).toEqual([before + 1, before + 2, before + 3]);
      expect(await newest(world)).toBe(before + 3);
      // Whoever has seen the first two asks for the rest.
      expect(await listed(world, before + 2)).toEqual(changes.slice(2));
      expect(await listAfter(world, before, 1)).toEqual(changes.slice(0, 1));
      expect(await listed(world, before + 3)).toEqual([]);
    },
  );

  check(
    'B4: what was undone changed nothing, and its number is given to what follows',
    async (world) => {
      const worker = await world.add('worker');
      const before = await newest(world);
      const lost = world.ledger.write(async (tx) => {
        const draft = { kind: 'message', from: user.id, to: worker.id, body: 'lost' } as const;
        const row = {
          ...draft,
          id: 'msg_lost',
          state: 'queued',
          createdAt: 1,
          cause: 'x',
        } as const;
        await tx.messages.insert([row]);
        throw new Error('undone');
      });
      await expect(lost).rejects.toThrow('undone');
      expect(await listed(world, before)).toEqual([]);
      const { id } = await world.send(worker);
      expect(await listed(world, before)).toEqual([{ number: before + 1, message: id }]);
    },
  );

  check(
    'B4: discarding a dead letter and the end of a debt are changes, though nothing moves',
    async (world) => {
      const worker = await world.add('worker');
      const { id } = await world.send(worker);
      const dead = { from: 'queued', to: 'dead', at: 1, code: 'put-in', cause: 'test' } as const;
      await world.ledger.write((tx) => tx.messages.move([id], dead));
      const task = await world.send(worker, { kind: 'task' });
      const before = await newest(world);
      const letter = await world.message(id);
      await world.ledger.write((tx) => discard(tx, 5, letter));
      await world.ledger.write((tx) => discard(tx, 5, letter));
      await world.ledger.write((tx) => tx.debts.end(task.id, 'answered', undefined, 5));
      await world.ledger.write((tx) => tx.debts.end(task.id, 'answered', undefined, 6));
      await world.ledger.write((tx) => tx.debts.reopen(task.id));
      const changes = await listed(world, before);
      expect(changes.map(({ message }) => message)).toEqual([id, task.id, task.id]);
    },
  );

  check('B4: agents that come, go or have another parent are one kind of change', async (world) => {
    const before = await newest(world);
    const worker = await world.add('worker');
    const lead = await world.add('lead');
    await world.ledger.write((tx) => tx.agents.setParent(worker.id, lead.id));
    await world.ledger.write((tx) => tx.agents.setParent(worker.id, lead.id));
    const status = { status: 'idle', source: 'hook', since: 3 } as const;
    await world.ledger.write((tx) => tx.agents.setStatus(worker.id, status));
    await remove(world.ledger, world.here, worker.id, true);
    const changes = await listed(world, before);
    expect(changes.map(({ message }) => message)).toEqual([null, null, null, null]);
  });

  check(
    'B4: a number that is too old, or of another ledger, is unknown, and no number comes twice',
    async (world) => {
      const worker = await world.add('worker');
      const before = await newest(world);
      const moves = [
        { from: 'queued', to: 'claimed' },
        { from: 'claimed', to: 'queued' },
      ] as const;
      // Of a hundred messages, so that no history is long.
      for (let sent = 0; sent < 100; sent++) {
        const { id } = await world.send(worker);
        await world.ledger.write(async (tx) => {
          for (let i = 0; i < 220; i++) {
            const why = { at: 2, code: 'put-in', cause: 'x' } as const;
            await tx.messages.move([id], { ...moves[i % 2 === 0 ? 0 : 1], ...why });
          }
        });
      }
      const tip = await newest(world);
      expect(tip).toBe(before + 100 * 221);
      expect(await listAfter(world, before)).toBe('unknown');
      expect(await listAfter(world, tip + 1)).toBe('unknown');
      expect(await listAfter(world, tip - keptChanges + 1, 1)).toHaveLength(1);
      const next = await world.send(worker);
      expect(await listed(world, tip)).toEqual([{ number: tip + 1, message: next.id }]);
    },
  );

  check(
    'a brief has the message, when it came into its state and whether its answer is owed',
    async (world) => {
      const worker = await world.add('worker');
      const long = 'ä'.repeat(40_000);
      const task = await world.send(worker, { kind: 'task', body: long });
      world.clock.pass(1000);
      await world.ack(task.id);
      const read = () => world.ledger.read((tx) => tx.changes.listBriefs([task.id, 'msg_none']));
      const [brief, ...more] = await read();
      expect(more).toEqual([]);
      expect(brief?.message).toMatchObject({ id: task.id, state: 'acked', to: worker.id });
      expect(brief?.message.body.startsWith('ä'.repeat(2048))).toBe(true);
      expect(brief).toMatchObject({ changedAt: world.clock.now(), debt: 'open' });
      await world.ledger.write((tx) => tx.debts.end(task.id, 'answered', undefined, 5));
      expect((await read())[0]?.debt).toBe('answered');
    },
  );

  check(
    'what is recent: the open, the dead that nobody discarded, and the ends of late',
    async (world) => {
      const worker = await world.add('worker');
      const bodies = ['open', 'old end', 'dead', 'discarded', 'unproven', 'late end'];
      const sent = new Map<string, string>();
      for (const body of bodies) sent.set(body, (await world.send(worker, { body })).id);
      const idOf = (body: string): string => sent.get(body) ?? '';
      const dead = { from: 'queued', to: 'dead', at: world.clock.now() } as const;
      const why = { code: 'put-in', cause: 'x' } as const;
      await world.ledger.write((tx) =>
        tx.messages.move([idOf('dead'), idOf('discarded')], { ...dead, ...why }),
      );
      const letter = await world.message(idOf('discarded'));
      await world.ledger.write((tx) => discard(tx, world.clock.now(), letter));
      await world.ack(idOf('old end'));
      world.clock.pass(60_000);
      await world.ack(idOf('late end'));
      const recent = async (limit: number) => {
        const briefs = await world.ledger.read((tx) =>
          tx.changes.listRecent(ago(world, 1000), limit),
        );
        return briefs.map(({ message }) => message.body);
      };
      expect(await recent(10)).toEqual(['open', 'dead', 'unproven', 'late end']);
      // The newest of them, the oldest first.
      expect(await recent(2)).toEqual(['unproven', 'late end']);
      expect(await world.ledger.read((tx) => tx.changes.countRecent(ago(world, 1000)))).toBe(4);
    },
  );
});
