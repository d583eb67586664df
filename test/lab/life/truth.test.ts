import { expect, test } from 'vitest';
import type { LoggedRequest } from '../mock-llm/request-log.ts';
import type { StatusEvent } from './status-log.ts';
import { findLies } from './truth.ts';

test('rest during an answer is a lie once the turn was noticed', () => {
  const lies = said('idle@0', 'processing@1100', 'completed@5000', 'processing@5100');
  expect(lies).toEqual([expect.stringContaining('completed')]);
});

test('rest after the answer is none, nor is a word from before the turn was noticed', () => {
  expect(said('idle@0', 'idle@1200', 'processing@1400', 'completed@9010')).toEqual([]);
});

test('a turn that is not noticed for long is a lie, too', () => {
  expect(said('idle@0', 'idle@6000')).toHaveLength(1);
});

test('a waiting agent that rests while its request is open lies', () => {
  expect(said('processing@500', 'waiting@2000', 'idle@3000')).toHaveLength(1);
});

test('a request of the CLI’s own is no turn, and one that a person broke off may end late', () => {
  const heard = ['processing@500', 'completed@8000'];
  expect(said(...heard)).toHaveLength(1);
  expect(findLies(events(heard), [{ ...request, isSide: true }])).toEqual([]);
  expect(findLies(events(heard), [{ ...request, outcome: 'client-closed' }])).toEqual([]);
});

/** From 1000 to 9000. */
const request: LoggedRequest = {
  n: 1,
  at: 1000,
  endedAt: 9000,
  outcome: 'finished',
  api: 'anthropic',
  isSide: false,
  lastUserText: '@@sleep 8',
  sha256: '',
  length: 9,
  toolsCount: 3,
  model: 'm',
  callsSince: 0,
  body: '',
};

function said(...heard: readonly string[]): readonly string[] {
  return findLies(events(heard), [request]);
}

function events(heard: readonly string[]): readonly StatusEvent[] {
  return heard.map((word) => {
    const [status = '', at] = word.split('@');
    return {
      agent: 'a',
      status: status as StatusEvent['status'],
      at: Number(at),
      source: 'screen',
    };
  });
}
