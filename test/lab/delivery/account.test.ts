import { expect, test } from 'vitest';
import type { Explanation } from '../../../src/protocol/messages.ts';
import type { LoggedRequest } from '../mock-llm/request-log.ts';
import { holdsAccount } from './account.ts';
import type { Letter, Post } from './post.ts';

const letter: Letter = { id: 'msg_1', word: 'letter1' };

test('rule 49: two unmarked copies of which the first may have been read are found out', async () => {
  const twice = [request(copy('mark_a')), request(copy('mark_b'))];
  await expect(holdsAccount(post(twice), [letter])).rejects.toThrow('without a mark');
});

test('rule 49: a marked second copy is allowed, and so is one after a request that was turned down', async () => {
  const marked = [request(copy('mark_a')), request(copy('mark_a') + copy('mark_b', repeat))];
  await holdsAccount(post(marked), [letter]);
  const refused = [request(copy('mark_a'), 'failed'), request(copy('mark_b'))];
  await holdsAccount(post(refused), [letter]);
});

test('a copy that stands in every later request of its conversation is one copy', async () => {
  await holdsAccount(post([request(copy('mark_a')), request(copy('mark_a'))]), [letter]);
});

test('the same copy twice in one request is found out', async () => {
  const glued = [request(copy('mark_a') + copy('mark_a'))];
  await expect(holdsAccount(post(glued), [letter])).rejects.toThrow('the same copy twice');
});

test('rule 43: seen before the model said a word is found out', async () => {
  const silent = [request(copy('mark_a'), 'client-closed', seenAt + 5)];
  await expect(holdsAccount(post(silent), [letter])).rejects.toThrow('rule 43');
});

const seenAt = Date.parse('2026-01-01T00:00:10Z');
const repeat = ' · MAY BE A REPEAT: you may have read it already';

function copy(mark: string, more = ''): string {
  const text = `<signalbox ${mark}>\n--- 0123456789 msg_1 · message · from the user${more}\nletter1 @@say ok\n</signalbox ${mark}>`;
  return JSON.stringify(text);
}

function request(
  body: string,
  outcome: NonNullable<LoggedRequest['outcome']> = 'finished',
  outputAt = seenAt - 5,
): LoggedRequest {
  return { n: 1, at: seenAt - 10, outcome, outputAt, body } as LoggedRequest;
}

function post(requests: readonly LoggedRequest[]): Post {
  const history = [{ at: new Date(seenAt).toISOString(), from: null, to: 'seen', cause: 'proof' }];
  const story = { history, attempts: [] } as unknown as Explanation;
  return { requestsWith: () => requests, becomes: async () => story } as unknown as Post;
}
