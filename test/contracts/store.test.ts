import { expect } from 'vitest';
import { loseSight, recordInjected } from '../../src/delivery/claim.ts';
import { retry } from '../../src/delivery/dead-letters.ts';
import { prove } from '../../src/delivery/prove.ts';
import { prune } from '../../src/delivery/prune.ts';
import { resolve } from '../../src/delivery/resolve.ts';
import type { MessageState } from '../../src/messages/message.ts';
import { contract, type World } from './world.ts';

/** How to bring a message into each state, and what may follow; by hand, not from the table. */
const paths: Readonly<Record<MessageState, { via: MessageState[]; may: string }>> = {
  queued: { via: [], may: 'claimed acked seen superseded expired dead' },
  claimed: { via: ['claimed'], may: 'injected acked seen queued uncertain dead' },
  injected: { via: ['claimed', 'injected'], may: 'seen acked queued uncertain dead' },
  seen: { via: ['seen'], may: 'acked queued' },
  acked: { via: ['acked'], may: '' },
  uncertain: { via: ['claimed', 'uncertain'], may: 'injected seen acked queued dead' },
  superseded: { via: ['superseded'], may: '' },
  expired: { via: ['expired'], may: 'acked seen queued' },
  dead: { via: ['dead'], may: 'acked seen queued' },
};

const test = { code: 'put-in', cause: 'test' } as const;

async function bring(world: World, id: string, via: readonly MessageState[]): Promise<void> {
  let from: MessageState = 'queued';
  for (const to of via) {
    await world.ledger.write((tx) => tx.messages.move([id], { from, to, at: 1, ...test }));
    from = to;
  }
}

contract('the store itself', (check) => {
  check('D2: a move that the table does not have moves nothing, whoever asks', async (world) => {
    const worker = await world.add('worker');
    const states = Object.keys(paths) as MessageState[];
    for (const from of states) {
      for (const to of states) {
        const { id } = await world.send(worker);
        await bring(world, id, paths[from].via);
        const move = { from, to, at: 2, ...test };
        const moved = await world.ledger.write((tx) => tx.messages.move([id], move));
        const isLegal = paths[from].may.split(' ').includes(to);
        expect(`${from} > ${to}: ${moved.length}`).toBe(`${from} > ${to}: ${isLegal ? 1 : 0}`);
        expect(await world.state(id)).toBe(isLegal ? to : from);
      }
    }
  });

  check('each row of a history says why as a code, and about which attempt', async (world) => {
    const worker = await world.add('worker');
    const { id } = await world.send(worker);
    const { claim: first } = await world.take(worker, 'native');
    const lost = { code: 'lost-sight', cause: 'in any words' } as const;
    await world.ledger.write((tx) => loseSight(tx, 2, first, lost));
    const uncertain = await world.message(id);
    await world.ledger.write((tx) => resolve(tx, 3, uncertain, 'no-proof', 'nothing'));
    // Proof comes for the first one while the second carries it.
    const { claim: second } = await world.take(worker, 'native');
    const proof = { mark: first.mark, evidence: 'an answer' };
    await world.ledger.write((tx) => prove(tx, 5, proof));
    await world.ack(id);
    const rows = await world.ledger.read((tx) => tx.messages.history(id));
    expect(rows.map(({ to, code, token }) => [to, code, token])).toEqual([
      ['queued', undefined, undefined],
      ['claimed', 'claimed', first.token],
      ['uncertain', 'lost-sight', first.token],
      ['queued', 'offered-once-more', first.token],
      ['claimed', 'claimed', second.token],
      ['seen', 'read', first.token],
      ['acked', 'acked', second.token],
    ]);
    const { id: other } = await world.send(worker);
    const expire = { from: 'queued', to: 'expired', at: 1, code: 'expired', cause: 'x' } as const;
    await world.ledger.write((tx) => tx.messages.move([other], expire));
    const last = (await world.ledger.read((tx) => tx.messages.history(other))).at(-1);
    expect(last).toEqual({ at: 1, from: 'queued', to: 'expired', code: 'expired', cause: 'x' });
  });

  check(
    'rule 2: a move under another token, or from another state, moves nothing',
    async (world) => {
      const worker = await world.add('worker');
      const { id } = await world.send(worker);
      const { claim } = await world.take(worker, 'native');
      const move = { from: 'claimed', to: 'injected', at: 2, ...test } as const;
      const attempt = (change: object) =>
        world.ledger.write((tx) => tx.messages.move([id, 'msg_none'], { ...move, ...change }));
      expect(await attempt({ token: claim.token + 1 })).toEqual([]);
      expect(await attempt({ token: claim.token - 1 })).toEqual([]);
      expect(await attempt({ from: 'queued', to: 'claimed' })).toEqual([]);
      expect(await attempt({ token: claim.token })).toEqual([
        { id, from: expect.any(String), to: worker.id },
      ]);
      expect(await attempt({ token: claim.token })).toEqual([]);
      expect(await world.path(id)).toEqual(['queued', 'claimed', 'injected']);
    },
  );

  check(
    'sequence numbers are not handed out again when the newest message is pruned',
    async (world) => {
      const worker = await world.add('worker');
      let last = 0;
      for (let round = 0; round < 3; round++) {
        const { id, seq } = await world.send(worker);
        expect(seq).toBeGreaterThan(last);
        last = seq;
        await world.ack(id);
        world.clock.pass(30 * 86_400_000);
        await prune(world.ledger, world.clock, 14 * 86_400_000);
      }
    },
  );

  check(
    'rule 10: a copy says that it may be one while any earlier attempt may have landed',
    async (world) => {
      const worker = await world.add('worker');
      const { id } = await world.send(worker);
      const attempt = async () => {
        const { claim, messages } = await world.take(worker, 'native');
        await world.ledger.write((tx) => recordInjected(tx, 1, claim.token, 'done'));
        return messages[0]?.mayRepeat;
      };
      const judge = async (verdict: 'absent' | 'no-proof') => {
        const message = await world.message(id);
        return world.ledger.write((tx) => resolve(tx, 1, message, verdict, 'a verdict'));
      };
      expect(await attempt()).toBe(false);
      await bringBack(world, id);
      expect(await judge('no-proof')).toBe('queued');
      expect(await attempt()).toBe(true);
      expect(await judge('absent')).toBe('queued');
      expect(await attempt()).toBe(true);
    },
  );

  check(
    'O6: a retried dead letter that had an attempt says that it may be a repeat',
    async (world) => {
      const worker = await world.add('worker');
      const { id } = await world.send(worker);
      await world.take(worker, 'native');
      await world.ledger.write((tx) =>
        tx.messages.move([id], { from: 'claimed', to: 'dead', at: 1, ...test }),
      );
      const dead = await world.message(id);
      expect(await world.ledger.write((tx) => retry(tx, 1, dead))).toBe('queued');
      expect(await world.message(id)).toMatchObject({ mayRepeat: true });
    },
  );

  check(
    'O4: writes that share a commit are each whole: one that throws undoes itself and no other',
    async (world) => {
      const worker = await world.add('worker');
      const sent = [];
      for (let i = 0; i < 30; i++) sent.push((await world.send(worker)).id);
      const ends = await Promise.allSettled(
        sent.map((id, i) =>
          world.ledger.write(async (tx) => {
            const move = {
              from: 'queued',
              to: 'acked',
              at: 1,
              code: 'acked',
              cause: `n ${i}`,
            } as const;
            const moved = await tx.messages.move([id], move);
            if (i % 3 === 0) throw new Error(`broken ${i}`);
            return moved;
          }),
        ),
      );
      for (const [i, end] of ends.entries()) {
        const state = await world.state(sent[i] ?? '');
        if (i % 3 !== 0) {
          expect(end).toMatchObject({ status: 'fulfilled', value: [{ id: sent[i] }] });
          expect(state).toBe('acked');
          continue;
        }
        expect(end.status === 'rejected' && String(end.reason)).toBe(`Error: broken ${i}`);
        expect(state).toBe('queued');
      }
      expect(await world.inbox(worker)).toHaveLength(10);
    },
  );
});

/** The epoch ended: nobody knows what became of it. */
async function bringBack(world: World, id: string): Promise<void> {
  const move = { from: 'injected', to: 'uncertain', at: 1, ...test } as const;
  await world.ledger.write((tx) => tx.messages.move([id], move));
}
