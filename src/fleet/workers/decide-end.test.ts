import { expect, test } from 'vitest';
import type { KeepCode } from '../../agents/ending-code.ts';
import { decideEnd, type WorkerFacts } from './decide-end.ts';

const minute = 60_000;
/** Of a worker that a handoff launched, with nothing left to do. */
const done: WorkerFacts = {
  ...{ endsWith: 'task', status: 'completed', composer: 'empty', restsMs: 2000 },
  ...{ idleStopMs: 30 * minute, isDone: true, owes: 0, unread: 0, owed: 0, mail: false },
  ...{ children: 0, background: false, watchers: 0 },
};

test('rule 55: a worker that a handoff launched stops when its task is done and its answer is read', () => {
  expect(decideEnd(done)).toEqual({ decision: 'stop', by: 'task' });
  // A program without a way to prove that nothing stands in its composer ends all the same.
  expect(decideEnd({ ...done, composer: 'unknown' })).toEqual({ decision: 'stop', by: 'task' });
  expect(decideEnd({ ...done, status: 'error' })).toEqual({ decision: 'stop', by: 'task' });
});

const reasons: readonly (readonly [KeepCode, Partial<WorkerFacts>])[] = [
  ['at-work', { status: 'processing' }],
  ['at-work', { status: 'waiting' }],
  ['at-work', { status: 'starting' }],
  ['at-work', { status: 'unknown' }],
  ['owes', { owes: 1 }],
  ['answer-unread', { unread: 1 }],
  ['awaits', { owed: 1 }],
  ['mail', { mail: true }],
  ['children', { children: 2 }],
  ['background', { background: true }],
  ['attached', { watchers: 1 }],
  ['draft', { composer: 'draft' }],
  ['settling', { restsMs: 999 }],
];

test.each(reasons)('rule 55: it is kept, because of %s (%o)', (code, facts) => {
  expect(decideEnd({ ...done, ...facts })).toEqual({ decision: 'keep', code });
  // However long it rests, and whatever launched it.
  const long = { restsMs: 90 * minute, endsWith: 'rest', ...facts } as const;
  expect(decideEnd({ ...done, ...long })).toEqual({ decision: 'keep', code });
});

test('rule 55: a worker that an assign launched stops after a long rest, and never where that is off', () => {
  const assigned = { ...done, endsWith: 'rest' } as const;
  const resting = { decision: 'keep', code: 'resting' };
  expect(decideEnd({ ...assigned, restsMs: 30 * minute - 1 })).toEqual(resting);
  const stopped = { decision: 'stop', by: 'rest' };
  expect(decideEnd({ ...assigned, restsMs: 30 * minute })).toEqual(stopped);
  expect(decideEnd({ ...assigned, restsMs: 90 * minute, idleStopMs: 0 })).toEqual({
    decision: 'keep',
    code: 'idle-stop-off',
  });
});

test('rule 55: one that was brought back for a message, or that nobody can tell is watched, waits as long', () => {
  for (const facts of [{ isDone: false }, { watchers: undefined }]) {
    expect(decideEnd({ ...done, ...facts })).toEqual({ decision: 'keep', code: 'resting' });
    const long = { ...done, ...facts, restsMs: 30 * minute };
    expect(decideEnd(long)).toEqual({ decision: 'stop', by: 'rest' });
  }
});

test('rule 55: where nobody can tell whether it is watched, one that is done gives its place to the next', () => {
  const unseen = { ...done, watchers: undefined, isPlaceWanted: true };
  expect(decideEnd(unseen)).toEqual({ decision: 'stop', by: 'task' });
  // Not one whose task came to no end, one that stays by its launch, or one that is kept.
  const resting = { decision: 'keep', code: 'resting' };
  expect(decideEnd({ ...unseen, isDone: false })).toEqual(resting);
  expect(decideEnd({ ...unseen, endsWith: 'rest' })).toEqual(resting);
  expect(decideEnd({ ...unseen, composer: 'draft' })).toMatchObject({ code: 'draft' });
  expect(decideEnd({ ...unseen, watchers: 1 })).toMatchObject({ code: 'attached' });
});
