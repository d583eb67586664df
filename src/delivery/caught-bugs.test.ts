import { expect, onTestFinished, test } from 'vitest';
import { FakeDelivery } from '../../test/fakes/delivery.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import type { Clock } from '../shared/clock.ts';
import { keepBugs } from '../shared/report-bug.ts';
import { askEvidence } from './follow-evidence.ts';
import { openDelivery } from './open-delivery.ts';
import { pruneInPassing } from './prune.ts';

function hearBugs(): string[] {
  const heard: string[] = [];
  onTestFinished(keepBugs(({ place }) => heard.push(place)));
  return heard;
}

const mistake = new TypeError('x is not a function');

test('a mistake in reading evidence finds nothing, and is counted; a full file table is no mistake', async () => {
  const heard = hearBugs();
  const { parts } = await FakeDelivery.open();
  const judging = (error: Error) =>
    askEvidence(parts, { judge: () => Promise.reject(error), close: () => undefined }, []);
  expect(await judging(Object.assign(new Error('open'), { code: 'EMFILE' }))).toEqual([]);
  expect(heard).toEqual([]);
  expect(await judging(mistake)).toEqual([]);
  expect(heard).toEqual(['reading the evidence of a CLI']);
});

test('a mistake in a look of delivery is counted, and the actor lives on', async () => {
  const heard = hearBugs();
  const fake = await FakeDelivery.open();
  // Its sleeps never end: a look that failed is not repeated by time alone.
  const clock: Clock = {
    now: () => fake.clock.now(),
    monotonicMs: () => fake.clock.monotonicMs(),
    sleep: (_, signal) =>
      new Promise<void>((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('aborted')));
      }),
  };
  const surroundings = { ...fake.parts.surroundings, clock };
  const delivery = openDelivery({ ...fake.parts, surroundings });
  onTestFinished(() => delivery.close());
  await fake.send();
  const view = () => {
    throw mistake;
  };
  delivery.attach(fake.recipient({ view }));
  await waitFor(() => expect(heard).toContain('a look of delivery'));
});

test('pruning in passing fails no command, and a mistake in it is counted', async () => {
  const heard = hearBugs();
  const fake = await FakeDelivery.open();
  const ledger = Object.assign(Object.create(fake.ledger), {
    read: () => Promise.reject(mistake),
  });
  await pruneInPassing(ledger, fake.clock, 1000);
  expect(heard).toEqual(['pruning in passing']);
});
