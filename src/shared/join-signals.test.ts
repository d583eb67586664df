import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { joinSignals } from './join-signals.ts';

test('it ends with the first of them, for its reason, and also where one has ended before', () => {
  const [one, other] = [new AbortController(), new AbortController()];
  const { signal } = joinSignals([one.signal, other.signal]);
  expect(signal.aborted).toBe(false);
  other.abort('enough');
  expect([signal.aborted, signal.reason]).toEqual([true, 'enough']);
  expect(joinSignals([one.signal, other.signal]).signal.reason).toBe('enough');
});

test('a signal that lives on keeps nothing of those that were left, or have ended', () => {
  const [lasting, short] = [new AbortController(), new AbortController()];
  const left = joinSignals([lasting.signal, short.signal]);
  left.leave();
  joinSignals([lasting.signal, short.signal]);
  short.abort();
  joinSignals([lasting.signal, short.signal]);
  expect(getEventListeners(lasting.signal, 'abort')).toEqual([]);
  lasting.abort();
  expect(left.signal.aborted).toBe(false);
});
