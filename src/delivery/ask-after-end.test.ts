import { expect, test } from 'vitest';
import { FakeDelivery, fakeAgentId } from '../../test/fakes/delivery.ts';
import { remove } from '../fleet/remove.ts';
import type { AttemptTrace, Evidence, Finding } from '../providers/way-in.ts';
import { askAfterEnd } from './ask-after-end.ts';
import { commit } from './deliver.ts';

/**
 * One message of an agent's, in a life that has ended; then its records say this, and it is
 * removed.
 */
async function removeAfter(finding: Finding | Error) {
  const fake = await FakeDelivery.open();
  const { id } = await fake.send();
  await commit(fake.parts, await fake.pack('native'), 'in');
  const asked: AttemptTrace[] = [];
  const evidence: Evidence = {
    judge: async (traces) => {
      asked.push(...traces);
      if (finding instanceof Error) throw finding;
      return traces.map(() => finding);
    },
    close: () => undefined,
  };
  const recipient = { agent: fakeAgentId, epoch: 1 };
  const read = await askAfterEnd(fake.parts, recipient, evidence);
  const { settled, maybeRead } = await remove(fake.ledger, fake.parts.surroundings, fakeAgentId);
  const bounces = await fake.ledger.read((tx) =>
    tx.messages.list({ states: ['queued'], limit: 9 }),
  );
  return { asked, counts: { read, settled, maybeRead }, bounces, message: await fake.find(id) };
}

test('rule 35: what the records prove to have been read is seen, and nobody is told otherwise', async () => {
  const { asked, counts, bounces, message } = await removeAfter({
    found: 'seen',
    evidence: 'an answer',
  });
  expect(asked).toMatchObject([{ isAlive: false }]);
  expect(counts).toEqual({ read: 1, settled: 0, maybeRead: 0 });
  expect(message.state).toBe('seen');
  expect(bounces).toEqual([]);
});

test('rules 34, 35: what is proven not landed was never read, and the bounce says so', async () => {
  const { counts, bounces } = await removeAfter({ found: 'absent', evidence: 'no record of it' });
  expect(counts).toEqual({ read: 0, settled: 1, maybeRead: 0 });
  expect(bounces[0]?.body).toContain('It was never read.');
});

test.each([
  { found: 'unknown', evidence: '' } as const,
  { found: 'landed', evidence: 'it stands there' } as const,
  new Error('EMFILE'),
])('rules 34, 41: without proof it may have been read: %s', async (finding) => {
  const { counts, bounces } = await removeAfter(finding);
  expect(counts).toEqual({ read: 0, settled: 1, maybeRead: 1 });
  expect(bounces[0]?.body).toMatch(/is given up[\s\S]*It may have been read/);
});
