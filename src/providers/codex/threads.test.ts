import { expect, test } from 'vitest';
import { chooseThread, describeStatus, readUserThread } from './threads.ts';

/** As `thread/read` of 0.166.0 describes them, shortened. */
const thread = {
  id: '01a1df42-314b',
  parentThreadId: null,
  ephemeral: false,
  threadSource: 'user',
  recencyAt: 100,
  status: { type: 'idle' },
};

test.each([
  [{ type: 'idle' }, { status: 'idle' }],
  [{ type: 'active', activeFlags: [] }, { status: 'processing' }],
  [
    { type: 'active', activeFlags: ['waitingOnApproval'] },
    { status: 'waiting', detail: 'permission' },
  ],
  [
    { type: 'active', activeFlags: ['waitingOnUserInput'] },
    { status: 'waiting', detail: 'question' },
  ],
  [{ type: 'systemError' }, { status: 'error' }],
  [{ type: 'notLoaded' }, undefined],
  [{}, undefined],
])('%j is %j', (status, report) => {
  expect(describeStatus(status)).toEqual(report);
});

test("rule 38: title threads and sub-agents' threads are nobody a person talks to", () => {
  expect(readUserThread(thread)).toEqual({
    id: thread.id,
    status: thread.status,
    recency: 100,
  });
  expect(
    readUserThread({ ...thread, ephemeral: true, threadSource: 'thread_title' }),
  ).toBeUndefined();
  expect(readUserThread({ ...thread, parentThreadId: '01a1' })).toBeUndefined();
  expect(readUserThread({ ...thread, threadSource: 'subagent' })).toBeUndefined();
  expect(readUserThread({})).toBeUndefined();
});

test('the one that works is on the screen, else the one touched last, else the newest', () => {
  const idle = { type: 'idle' };
  const threads = [
    { id: '1', status: { type: 'active' }, recency: 1 },
    { id: '2', status: idle, recency: 3 },
    { id: '3', status: idle, recency: 3 },
    { id: '4', status: idle, recency: 2 },
  ];
  expect(chooseThread(threads)?.id).toBe('1');
  expect(chooseThread(threads.slice(1))?.id).toBe('3');
  expect(chooseThread([])).toBeUndefined();
});
