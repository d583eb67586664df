import { describe, expect, test } from 'vitest';
import type { LoggedRequest } from '../../test/lab/mock-llm/request-log.ts';
import { findArrival, judgeBurst, judgeDraft, Missing } from './judge.ts';

describe('an arrival', () => {
  test('is the first turn whose model was told the word', () => {
    const log = [
      turn(1, ['hello']),
      turn(2, ['hello', 'ping']),
      turn(3, ['hello', 'ping', 'more']),
    ];
    expect(findArrival(log, 'ping')?.n).toBe(2);
  });

  test('is no request of the CLI’s own', () => {
    expect(findArrival([{ ...turn(1, ['ping']), isSide: true }], 'ping')).toBeUndefined();
  });

  test('is nothing that the model said itself', () => {
    const body = JSON.stringify({
      messages: [
        { role: 'user', content: 'hello' },
        { role: 'assistant', content: [{ type: 'text', text: 'ping' }] },
        { role: 'user', content: 'go on' },
      ],
    });
    expect(findArrival([{ ...turn(1, ['go on']), body }], 'ping')).toBeUndefined();
  });

  test('may stand in other words than the newest', () => {
    expect(findArrival([turn(1, ['ping', 'what a person typed'])], 'ping')?.n).toBe(1);
  });
});

describe('a draft', () => {
  test('is kept when the message came alone', () => {
    expect(judgeDraft([turn(1, ['ping'])], 'ping', 'half')).toBe('kept');
  });

  test('is merged when one prompt holds both', () => {
    expect(judgeDraft([turn(1, ['half ping'])], 'ping', 'half')).toBe('merged');
  });

  test('is sent when the model got it without the message', () => {
    expect(judgeDraft([turn(1, ['half']), turn(2, ['half', 'ping'])], 'ping', 'half')).toBe(
      'draft sent',
    );
  });

  test('does not hide that the message never came', () => {
    expect(judgeDraft([turn(1, ['hello'])], 'ping', 'half')).toBe('lost');
  });
});

describe('a burst', () => {
  const words = ['one', 'two', 'three'];

  test('counts what arrived, and the turns it took', () => {
    const log = [turn(1, ['one']), turn(2, ['one', 'two three'])];
    expect(judgeBurst(log, words)).toEqual({
      ...{ arrived: 3, doubled: 0, requests: 2 },
      ...{ firstAt: 1000, lastAt: 2000 },
    });
  });

  test('finds what was told twice, in one turn or in two', () => {
    const log = [
      turn(1, ['one one']),
      turn(2, ['one one', 'two']),
      turn(3, ['one one', 'two', 'two']),
    ];
    expect(judgeBurst(log, words)).toMatchObject({ arrived: 2, doubled: 2 });
  });

  test('takes a conversation that is repeated in each request for one', () => {
    const log = [turn(1, ['one']), turn(2, ['one', 'two']), turn(3, ['one', 'two', 'three'])];
    expect(judgeBurst(log, words).doubled).toBe(0);
  });

  test('of which nothing arrived has no times', () => {
    expect(judgeBurst([], words)).toEqual({ arrived: 0, doubled: 0, requests: 0 });
  });
});

test('a word is missing until a model was told it', () => {
  const log: LoggedRequest[] = [turn(1, ['one'])];
  const missing = new Missing(log, ['one', 'two']);
  expect(missing.count()).toBe(1);
  log.push({ ...turn(2, ['two']), isSide: true });
  expect(missing.count()).toBe(1);
  log.push(turn(3, ['one', 'two']));
  expect(missing.count()).toBe(0);
});

/** A request of Claude Code with these words of the user's side. */
function turn(n: number, said: readonly string[]): LoggedRequest {
  const lastUserText = said.at(-1) ?? '';
  const messages = said.flatMap((content) => [
    { role: 'user', content },
    { role: 'assistant', content: [{ type: 'text', text: 'ok' }] },
  ]);
  return {
    n,
    at: n * 1000,
    api: 'anthropic',
    isSide: false,
    lastUserText,
    sha256: '',
    length: lastUserText.length,
    toolsCount: 1,
    model: 'mock-model',
    callsSince: 0,
    body: JSON.stringify({ messages: messages.slice(0, -1) }),
  };
}
