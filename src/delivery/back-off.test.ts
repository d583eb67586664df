import { expect, test } from 'vitest';
import { FakeDelivery } from '../../test/fakes/delivery.ts';
import type { Finding } from '../providers/way-in.ts';
import { BackOff } from './back-off.ts';
import { commit } from './deliver.ts';
import { createEvidenceMemory } from './evidence-memory.ts';
import { followEvidence } from './follow-evidence.ts';

const resting = (status: 'completed' | 'error', atRestSince: number) =>
  ({ status, atRestSince, composer: 'empty' }) as const;

test('a spell of error begins a back-off once, longer each time, and a turn that ends well forgets it', () => {
  const backOff = new BackOff();
  backOff.note(resting('error', 100), 100);
  backOff.note(resting('error', 100), 20_000);
  expect(backOff.until).toBe(30_100);
  backOff.note(resting('error', 40_000), 40_000);
  expect(backOff.until).toBe(100_000);
  backOff.note(resting('completed', 110_000), 110_000);
  backOff.note(resting('error', 120_000), 120_000);
  expect(backOff.until).toBe(150_000);
});

test('rule 9: a failure that only the records tell backs off as long, however the agent rests', () => {
  const backOff = new BackOff();
  backOff.fail(100);
  expect(backOff).toMatchObject({ isFailing: true, until: 30_100 });
  // Its screen has followed late, and the status has gone to and fro.
  for (const at of [110, 300, 900]) backOff.note(resting('completed', at), at);
  expect(backOff).toMatchObject({ isFailing: true, until: 30_100 });
  backOff.fail(40_000);
  expect(backOff.until).toBe(100_000);
  backOff.succeed();
  expect(backOff).toMatchObject({ isFailing: false, until: 0 });
  backOff.fail(200_000);
  expect(backOff.until).toBe(230_000);
});

test('one failure that records and status both tell is one', () => {
  const backOff = new BackOff();
  backOff.fail(100);
  backOff.note(resting('error', 150), 150);
  expect(backOff.until).toBe(30_100);
  const other = new BackOff();
  other.note(resting('error', 100), 100);
  other.fail(150);
  expect(other.until).toBe(30_100);
});

test.each([
  ['failed', true],
  ['refused', true],
  ['interrupted', false],
] as const)('rule 9: a message whose turn was %s backs off: %s', async (because, isFailing) => {
  const { memory, say, look } = await injected();
  say({ found: 'removed', because });
  await look();
  expect(memory.backOff.isFailing).toBe(isFailing);
});

test('rule 9: so does one that was seen before its turn failed, and one that is read ends it', async () => {
  const { memory, say, look } = await injected();
  memory.backOff.fail(0);
  say({ found: 'seen' });
  await look();
  expect(memory.backOff.isFailing).toBe(false);
  say({ found: 'removed', because: 'failed' });
  await look();
  expect(memory.backOff.isFailing).toBe(true);
});

async function injected() {
  const fake = await FakeDelivery.open();
  const memory = createEvidenceMemory();
  let finding: Omit<Finding, 'evidence'> = { found: 'none' };
  const judge = async (attempts: readonly unknown[]): Promise<readonly Finding[]> =>
    attempts.map(() => ({ ...finding, evidence: 'a record' }));
  const recipient = fake.recipient({ evidence: { judge, close: () => undefined } });
  await fake.send();
  await commit(fake.parts, await fake.pack('native', recipient), 'in');
  return {
    memory,
    look: () => followEvidence(fake.parts, recipient, memory),
    say: (next: Omit<Finding, 'evidence'>) => {
      finding = next;
    },
  };
}
