import { expect, onTestFinished, test } from 'vitest';
import { fakeAgentId as agent, FakeDelivery } from '../../test/fakes/delivery.ts';
import type { Evidence, Finding } from '../providers/way-in.ts';
import type { Clock } from '../shared/clock.ts';
import { commit } from './deliver.ts';
import { readOnRecord } from './on-record.ts';
import { openDelivery } from './open-delivery.ts';
import { prove } from './prove.ts';

const evidence = 'a record';

function tell(finding: Finding): Evidence {
  return {
    judge: async (attempts) => attempts.map(() => finding),
    close: () => undefined,
  };
}

/** Sleeps on it never end: everything that happens was triggered. */
function stillClock({ clock }: FakeDelivery): Clock {
  return {
    now: () => clock.now(),
    monotonicMs: () => clock.monotonicMs(),
    sleep: (_, signal) =>
      new Promise<void>((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('aborted')));
      }),
  };
}

/** A task that went in, and its claim. */
async function give(fake: FakeDelivery) {
  const { id } = await fake.send({ kind: 'task' });
  const parcel = await fake.pack('turn-boundary');
  await commit(fake.parts, parcel, 'in');
  return { id, claim: parcel.claim };
}

test('rules 9, 26: what stands in a conversation, what stands in none, and of what nothing is known', async () => {
  const fake = await FakeDelivery.open();
  const { claim } = await give(fake);
  const places = new Map<string, Finding>([
    ['in', { found: 'seen', evidence }],
    ['in too', { found: 'landed', evidence, isInterrupted: true }],
    ['out', { found: 'removed', because: 'interrupted', evidence }],
    ['out: in a queue', { found: 'held', evidence }],
    ['out: not landed', { found: 'absent', evidence }],
    ['out: answered without it', { found: 'unknown', evidence, isPassedOver: true }],
    ['unknown: no trace', { found: 'none', evidence }],
    ['unknown', { found: 'unknown', evidence }],
    ['unknown: a strange form', { found: 'landed', evidence, isUnrecognised: true }],
  ]);
  for (const [what, finding] of places) {
    const asked = { agent, epoch: 1, evidence: tell(finding) };
    const found = await readOnRecord(fake.parts, asked);
    const place = { in: found.in.has(claim.token), out: found.out.has(claim.token) };
    expect([what, place]).toEqual([
      what,
      { in: what.startsWith('in'), out: what.startsWith('out') },
    ]);
  }
});

test('rule 26: an agent that owes nothing, and one without records, has nothing on record', async () => {
  const fake = await FakeDelivery.open();
  const asked = { agent, epoch: 1, evidence: tell({ found: 'seen', evidence }) };
  expect((await readOnRecord(fake.parts, asked)).in.size).toBe(0);
  await give(fake);
  expect((await readOnRecord(fake.parts, asked)).in.size).toBe(1);
  expect((await readOnRecord(fake.parts, { ...asked, evidence: undefined })).in.size).toBe(0);
});

for (const [how, isSeen] of [
  ['was read', true],
  ['was not', false],
] as const) {
  test(`rule 9: a daemon that saw nothing of the interruption queues the task again at the next turn’s end; it ${how} before`, async () => {
    const fake = await FakeDelivery.open();
    const { id, claim } = await give(fake);
    const { ledger, clock, parts } = fake;
    const proof = { mark: claim.mark, evidence };
    if (isSeen) await ledger.write((tx) => prove(tx, clock.now(), proof));
    const delivery = openDelivery({
      ...parts,
      surroundings: { ...parts.surroundings, clock: stillClock(fake) },
    });
    onTestFinished(() => delivery.close());
    const removed = tell({ found: 'removed', because: 'interrupted', evidence });
    const view = () => ({ status: 'processing', composer: 'empty' }) as const;
    delivery.attach(fake.recipient({ view, evidence: removed }));
    expect((await delivery.readOnRecord(agent)).out.has(claim.token)).toBe(true);
    await delivery.turnEnded(agent, 'completed');
    expect(await fake.find(id)).toMatchObject({ state: 'queued', mayRepeat: true });
  });
}
