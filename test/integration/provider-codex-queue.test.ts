import { expect, test } from 'vitest';
import { begin, count, idle, openCodexLife, user } from '../support/codex-life.ts';
import { waitUntil } from '../support/wait-until.ts';

const second = '01a1df43-314b-7581-8d5e-3fb4480e12a8';

test.each([
  [
    -32_600,
    'Invalid request: unknown variant `thread/queue/list`, expected one of `initialize`',
    true,
  ],
  [-32_601, 'Method not found', true],
  [-32_600, 'invalid thread id', false],
  [-32_603, 'no rollout found', false],
])('rule 48: a server that answers %i (%s) has no queue: %s', async (code, message, isWithout) => {
  const { server, native, changes } = await openCodexLife({
    refusals: { 'thread/queue/list': { code, message } },
  });
  await waitUntil('the way in', () => native.blocked() === undefined);
  await waitUntil('the question', () => server.asked.includes('thread/queue/list'));
  const before = changes();
  if (isWithout) await waitUntil('the answer', () => native.lacks?.() !== undefined);
  // Of a later thread it is not asked again.
  begin(server, second, { ...user, status: idle });
  await waitUntil('the next thread', () => changes() > before);
  expect(native.lacks?.()?.code).toBe(isWithout ? 'no-queue' : undefined);
  expect(count(server, 'thread/queue/list')).toBe(1);
});

test('rule 41: a server that hung up instead of answering is asked again, and proves nothing', async () => {
  const { server, native } = await openCodexLife({
    refusals: { 'thread/queue/list': 'hang-up' },
  });
  await waitUntil('two questions', () => count(server, 'thread/queue/list') > 1);
  expect(native.lacks?.()).toBeUndefined();
});
