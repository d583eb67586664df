import fc from 'fast-check';
import { expect } from 'vitest';
import { userAgentId } from '../../src/agents/agent.ts';
import { loseSight } from '../../src/delivery/claim.ts';
import { type Parcel, pack, record } from '../../src/delivery/deliver.ts';
import type { DeliveryParts } from '../../src/delivery/parts.ts';
import { prove } from '../../src/delivery/prove.ts';
import { resolve } from '../../src/delivery/resolve.ts';
import { findText, rewriteAttempt } from '../../src/delivery/rewrite-attempt.ts';
import type { Claim } from '../../src/messages/claim.ts';
import { contract, type World } from './world.ts';

/** One message that is sent, and what became of its first try, if there was one. */
interface Sent {
  readonly urgent: boolean;
  readonly size: number;
  readonly from: 'user' | 'lead' | 'peer';
  readonly isRepeat: boolean;
}

const oneSent: fc.Arbitrary<Sent> = fc.record({
  urgent: fc.boolean(),
  // The last one is longer than a batch: a pointer (rule 13).
  size: fc.constantFrom(1, 40, 900, 2600, 9000),
  from: fc.constantFrom('user', 'lead', 'peer'),
  isRepeat: fc.boolean(),
});

/** Of a CLI that acts on a sign in what is pasted. */
const ways = {
  routes: ['paste'],
  provable: ['paste'],
  nativeDuring: [],
  pastes: 'message',
  hasWaitingHook: false,
  syntax: { paste: { at: 'anywhere' } },
} as const;

const attempt = fc.record({
  all: fc.array(oneSent, { minLength: 1, maxLength: 12 }),
  hadFirstTry: fc.boolean(),
  limit: fc.constantFrom(undefined, 'urgent' as const),
  isWake: fc.boolean(),
});
type Attempted = typeof attempt extends fc.Arbitrary<infer T> ? T : never;

contract('the text of an attempt', (check) => {
  check('rule 12: made anew after a restart it is byte for byte the one put in', async (world) => {
    const team = { lead: await world.add('lead'), peer: await world.add('peer') };
    const found = { urgent: 0, mixed: 0, repeats: 0, pointers: 0, left: 0 };
    let n = 0;
    const play = async (given: Attempted): Promise<void> => {
      const worker = await world.add(`worker${n++}`, { parent: team.lead });
      const senders = { user: userAgentId, lead: team.lead.id, peer: team.peer.id };
      const marked = new Set<string>();
      for (const { urgent, size, from, isRepeat } of given.all) {
        const draft = { urgent, body: 'x@ab'.repeat(size).slice(0, size), from: senders[from] };
        const { id } = await world.send(worker, draft);
        if (isRepeat) marked.add(id);
      }
      if (given.hadFirstTry) await tryFirst(world, worker.id, marked);
      const parcel = await packFor(world, worker.id, given);
      // Nothing in it is urgent.
      if (!parcel && given.limit === 'urgent') return;
      if (!parcel) throw new Error('nothing was packed');
      const { claim, messages, text } = parcel;
      await cutOff(world, claim);
      await world.send(worker, { urgent: true, body: 'later' });
      const again = await world.ledger.read((tx) => rewriteAttempt(tx, claim, ways));
      expect(again).toBe(text);
      const order = [...text.matchAll(/^--- \w+ (\d+) message from /gm)].map(([, n]) => Number(n));
      const inOrder = messages.toSorted((a, b) => a.seq - b.seq);
      expect(order).toEqual(inOrder.map(({ number }) => number));
      const urgent = messages.filter((message) => message.urgent).length;
      if (urgent === messages.length) found.urgent++;
      else if (urgent > 0) found.mixed++;
      if (messages.some(({ mayRepeat }) => mayRepeat)) found.repeats++;
      if (messages.some(({ body }) => body.length === 9000)) found.pointers++;
      if (claim.others > 0) found.left++;
    };
    await fc.assert(fc.asyncProperty(attempt, play), { numRuns: 60, seed: 12 });
    // A run that met none of them would prove nothing about it.
    for (const times of Object.values(found))
      expect(times, JSON.stringify(found)).toBeGreaterThan(4);
  });

  check(
    'rules 12, 14: of a text behind an unread one it is the same after that one was read',
    async (world) => {
      const worker = await world.add('worker');
      const native = { ...ways, routes: ['native'], provable: ['native'] } as const;
      const wish = { route: 'native', isBehindTurn: true } as const;
      const packNext = async (): Promise<Parcel> => {
        const message = await world.send(worker);
        const parcel = await pack(
          partsOf(world),
          { agent: worker.id, epoch: 1, ways: native },
          wish,
        );
        if (!parcel) throw new Error('nothing was packed');
        await record(partsOf(world), parcel, { outcome: 'taken' }, { cause: 'the test' });
        expect(parcel.messages.map(({ id }) => id)).toEqual([message.id]);
        return parcel;
      };
      const first = await packNext();
      const second = await packNext();
      expect(first.text).toContain('Mail, not typed here.');
      expect(second.text).toMatch(/^<signalbox mark_\w+>\n2 message from /);
      const { mark } = first.claim;
      await world.ledger.write((tx) => prove(tx, world.clock.now(), { mark, evidence: 'said' }));
      const again = await world.ledger.read(async (tx) => {
        const kept = await tx.claims.find(second.claim.token);
        return kept && findText(tx, kept, native);
      });
      expect(again).toBe(second.text);
    },
  );

  check('rule 2: it is not made anew once a message has moved on', async (world) => {
    const worker = await world.add('worker');
    const { id } = await world.send(worker);
    await world.send(worker);
    const parcel = await packFor(world, worker.id, { limit: undefined, isWake: false });
    if (!parcel) throw new Error('nothing was packed');
    await cutOff(world, parcel.claim);
    await world.ack(id);
    expect(await world.ledger.read((tx) => rewriteAttempt(tx, parcel.claim, ways))).toBeUndefined();
  });
});

/** Of an earlier try some messages come again marked, the others as if it had not been. */
async function tryFirst(world: World, agent: string, marked: ReadonlySet<string>): Promise<void> {
  const parcel = await packFor(world, agent, { limit: undefined, isWake: false });
  if (!parcel) throw new Error('nothing was packed');
  await cutOff(world, parcel.claim);
  await world.ledger.write(async (tx) => {
    for (const { id } of parcel.messages) {
      const message = await tx.messages.find(id);
      const verdict = marked.has(id) ? 'no-proof' : 'absent';
      if (message) await resolve(tx, world.clock.now(), message, verdict, 'the test');
    }
  });
}

function packFor(
  world: World,
  agent: string,
  { limit, isWake }: Pick<Attempted, 'limit' | 'isWake'>,
): Promise<Parcel | undefined> {
  const wish = { route: 'paste', isWake, ...(limit === undefined ? {} : { limit }) } as const;
  return pack(partsOf(world), { agent, epoch: 1, ways }, wish);
}

function partsOf(world: World): DeliveryParts {
  return {
    ledger: world.ledger,
    surroundings: world.here,
    limits: { blocks: 3, wakes: 60, scripts: 240, noticeAfterMs: 10_000 },
    log: { info: () => undefined, warn: () => undefined },
    isAlive: () => true,
  };
}

/** Its holder died when it was pasted. */
async function cutOff({ ledger, clock }: World, { token }: Claim): Promise<void> {
  await ledger.write(async (tx) => {
    await tx.claims.note(token, { step: 'pasted' });
    const held = await tx.claims.find(token);
    if (held)
      await loseSight(tx, clock.now(), held, { code: 'holder-died', cause: 'its holder died' });
  });
}
