import { expect, test } from 'vitest';
import type { Client } from '../client/client.ts';
import type { EventView } from '../protocol/events.ts';
import { watchChanges } from './watch-changes.ts';

type Step = IteratorResult<EventView, void>;

/** Events that come when the test says so. */
function open(everyMs: number) {
  const over = new AbortController();
  const asked: { readonly reactions: () => number; readonly settle: (step: Step) => void }[] = [];
  const fails: ((error: unknown) => void)[] = [];
  const next = (): Promise<Step> => {
    let reactions = 0;
    let settle: (step: Step) => void = () => undefined;
    const step = new Promise<Step>((done, fail) => {
      settle = done;
      fails.push(fail);
    });
    const then = step.then.bind(step);
    const count: typeof then = (...args) => {
      reactions++;
      return then(...args);
    };
    Reflect.set(step, 'then', count);
    asked.push({ reactions: () => reactions, settle });
    return step;
  };
  const events = { [Symbol.asyncIterator]: () => ({ next }) };
  const client = { watchEvents: () => events } as unknown as Client;
  const changes = watchChanges(client, { topics: [], everyMs, over: over.signal });
  return { over, asked, changes, fail: (error: unknown) => fails.at(-1)?.(error) };
}

const event: EventView = { id: '1', topic: 'agent.a.status', at: '', data: {} };

test('time passes again and again, and what waits for an event does not grow with it', async () => {
  const { over, asked, changes } = open(1);
  for (let tick = 0; tick < 50; tick++) expect((await changes.next()).value).toBe('time');
  expect(asked).toHaveLength(1);
  expect(asked[0]?.reactions()).toBeLessThan(4);
  over.abort();
  expect(await changes.next()).toMatchObject({ done: true });
});

test('an event comes once, at once, and the next is asked for before it is told', async () => {
  const { over, asked, changes } = open(3_600_000);
  const first = changes.next();
  asked[0]?.settle({ done: false, value: event });
  expect((await first).value).toEqual(event);
  expect(asked).toHaveLength(2);
  const second = changes.next();
  over.abort();
  expect((await second).done).toBe(true);
});

test('it ends with the events, and with their error', async () => {
  const ended = open(3_600_000);
  const end = ended.changes.next();
  ended.asked[0]?.settle({ done: true, value: undefined });
  expect((await end).done).toBe(true);
  const broken = open(3_600_000);
  const failed = broken.changes.next();
  broken.fail(new Error('the daemon is gone'));
  await expect(failed).rejects.toThrow('the daemon is gone');
});

test('it asks for nothing where nobody listens any more', async () => {
  const { over, asked, changes } = open(1);
  over.abort();
  expect([(await changes.next()).done, asked.length]).toEqual([true, 0]);
});
