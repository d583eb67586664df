import { expect, test } from 'vitest';
import type { InboxList, MessageView } from '../protocol/messages.ts';
import { Fault } from '../shared/fault.ts';
import { changeDeadLetters } from './change-dead-letters.ts';

const view = (id: string) => ({ id, state: 'queued' }) as MessageView;

/** A ledger of dead letters, listed oldest first. */
function openLetters(ids: readonly string[]) {
  const dead = new Set(ids);
  return {
    dead,
    listDeadLetters: async ({ max }: { max: number }) =>
      ({ messages: [...dead].slice(0, max).map(view), remaining: 0 }) as unknown as InboxList,
  };
}

test('--all changes every message, also beyond the first page, however many of them fail', async () => {
  const ids = Array.from({ length: 2500 }, (_, i) => `msg_${i}`);
  const letters = openLetters(ids);
  const refused = new Set(ids.slice(0, 1200));
  const { changed, failed } = await changeDeadLetters(letters, [], async ({ dead }, id) => {
    if (refused.has(id)) throw new Fault('not-allowed', 'Its recipient is gone.', 'Discard it.');
    dead.delete(id);
    return view(id);
  });
  expect(changed.map(({ id }) => id)).toEqual(ids.slice(1200));
  expect(failed.map(({ id }) => id)).toEqual([...refused]);
  expect(failed[0]?.error.code).toBe('not-allowed');
});

test('a message that dies again while --all runs is tried once', async () => {
  const letters = openLetters(['msg_1']);
  let times = 0;
  const { changed } = await changeDeadLetters(letters, [], async (_, id) => {
    times++;
    return view(id);
  });
  expect([times, changed.length]).toEqual([1, 1]);
});

test('a message that is named twice is changed once, and a bug is not one of several', async () => {
  const letters = openLetters([]);
  const { changed } = await changeDeadLetters(letters, ['lead:1', 'lead:1'], async (_, id) =>
    view(id),
  );
  expect(changed.map(({ id }) => id)).toEqual(['lead:1']);
  const broken = changeDeadLetters(letters, ['lead:1', 'lead:2'], () =>
    Promise.reject(new Error('a bug')),
  );
  await expect(broken).rejects.toThrow('a bug');
});
