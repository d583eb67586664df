import { expect, test } from 'vitest';
import { hook, idOf, openHooks } from '../../../test/support/held-hooks.ts';

test('rule 23: a hook is told the decision about its own request, and without records nobody knows whose answer counted', async () => {
  const { hooks, pass, poll, decide } = openHooks();
  const waiting = poll();
  hooks.ownState({ status: 'waiting' });
  expect(hooks.open).toMatchObject([{ text: 'make', asks: 'command' }]);
  const decided = decide('deny');
  await pass(100);
  expect(waiting.told()).toMatchObject({ reply: { stdout: 'deny' } });
  expect(hooks.confirm(idOf(waiting.told()))).toBe(true);
  await pass(300);
  expect(decided()).toBeUndefined();
  hooks.ownState({ status: 'processing' });
  await pass(100);
  expect(decided()).toMatchObject({ outcome: 'unknown' });
  expect(hooks.open).toEqual([]);
});

test('rule 23: a poll with another request under the number of a hook ends both, with no decision', async () => {
  const { hooks, pass, poll } = openHooks();
  const shown = poll();
  await pass(100);
  expect(hooks.open).toHaveLength(1);
  const payload = { event: 'PermissionRequest', body: { tool_input: { command: 'rm -r .' } } };
  const other = poll({ payload });
  await pass(100);
  expect(shown.told()).toBe('dismissed');
  expect(other.told()).toBe('dismissed');
  expect(hooks.open).toEqual([]);
});

test.each(['taken', 'gone'] as const)(
  'rule 23: where the CLI has it on record, that alone says whose answer it took: %s',
  async (outcome) => {
    let shown: 'taken' | 'gone' | undefined;
    const { hooks, pass, poll, decide } = openHooks({ find: async () => shown });
    const waiting = poll();
    hooks.ownState({ status: 'waiting' });
    const decided = decide();
    await pass(100);
    hooks.confirm(idOf(waiting.told()));
    hooks.ownState({ status: 'processing' });
    hooks.note('PostToolUse', { subject: 'Bash make', asker: '' });
    await pass(300);
    expect(decided()).toBeUndefined();
    shown = outcome;
    await pass(200);
    expect(decided()).toEqual({ outcome });
  },
);

test('rule 23: a hook that did not confirm has printed nothing, and its question is open still', async () => {
  const { hooks, pass, poll, decide } = openHooks();
  const first = poll();
  const decided = decide();
  await pass(100);
  const id = idOf(first.told());
  await pass(2000);
  expect(decided()).toMatchObject({ outcome: 'refused' });
  expect(hooks.confirm(id)).toBe(false);
  expect(hooks.open).toHaveLength(1);
});

test('rule 23: one that asks again after its confirmation was lost is open still', async () => {
  const { hooks, pass, poll, decide } = openHooks();
  const first = poll();
  const decided = decide();
  await pass(100);
  hooks.confirm(idOf(first.told()));
  poll();
  await pass(100);
  expect(decided()).toMatchObject({ outcome: 'refused' });
  expect(hooks.open).toHaveLength(1);
});

test('a decision waits for the next poll, and not for ever', async () => {
  const { hooks, pass, poll, decide } = openHooks();
  const first = poll();
  first.leave();
  await pass(100);
  expect(first.told()).toBe('nothing');
  const decided = decide();
  const second = poll();
  await pass(100);
  expect(second.told()).toMatchObject({ reply: { stdout: 'allow' } });
  hooks.confirm(idOf(second.told()));
  await pass(6000);
  expect(decided()).toMatchObject({ outcome: 'unknown' });
  const third = openHooks();
  third.poll().leave();
  await third.pass(100);
  const vain = third.decide();
  await third.pass(7200);
  expect(vain()).toMatchObject({ outcome: 'refused' });
});

test('two at once: the second decision is refused, and nothing of it is handed out', async () => {
  const { pass, poll, decide } = openHooks();
  poll();
  const first = decide('allow');
  const second = decide('deny');
  await pass(100);
  expect([first(), second()]).toEqual([undefined, expect.objectContaining({ outcome: 'refused' })]);
});

test.each([
  ['PostToolUse', 'Bash make', '', 0],
  ['PostToolUseFailure', 'Bash make', '', 0],
  ['PostToolUse', 'Bash other', '', 1],
  ['PostToolUse', 'Bash make', 'a1', 1],
  ['Stop', '', '', 0],
  ['SubagentStop', '', 'a1', 1],
  ['Notification', '', '', 1],
])('rule 23: %s of "%s" by "%s" leaves %i open', async (event, subject, asker, left) => {
  const { hooks, pass, poll } = openHooks();
  const waiting = poll();
  hooks.note(event, { subject, asker });
  await pass(100);
  expect(hooks.open).toHaveLength(left);
  expect(waiting.told()).toBe(left === 0 ? 'dismissed' : undefined);
});

test('a tool that ran although we denied it was allowed at the terminal', async () => {
  const { hooks, pass, poll, decide } = openHooks({ find: async () => undefined });
  const waiting = poll();
  const decided = decide('deny');
  await pass(100);
  hooks.confirm(idOf(waiting.told()));
  hooks.note('PostToolUse', { subject: 'Bash make', asker: '' });
  await pass(100);
  expect(decided()).toEqual({ outcome: 'gone' });
});

test('text that is queued while the CLI asks closes no question; afterwards a prompt does', async () => {
  const { hooks, poll } = openHooks();
  poll();
  hooks.ownState({ status: 'waiting' });
  hooks.note('UserPromptSubmit', { subject: '', asker: '' });
  expect(hooks.open).toHaveLength(1);
  hooks.ownState(undefined);
  hooks.note('UserPromptSubmit', { subject: '', asker: '' });
  expect(hooks.open).toEqual([]);
});

test('rule 23: a Yes at the terminal, of which the hook hears nothing, hides the question at once and lets the hook go', async () => {
  const { hooks, pass, poll, decide } = openHooks();
  const waiting = poll();
  hooks.ownState({ status: 'waiting' });
  const key = hooks.open[0]?.key;
  hooks.ownState({ status: 'processing' });
  expect(hooks.open).toEqual([]);
  const late = decide('allow', key);
  await pass(100);
  expect(late()).toEqual({ outcome: 'gone' });
  await pass(4000);
  expect(waiting.told()).toBe('dismissed');
});

test('between two dialogs the CLI says for a moment that it asks nothing: the next one stays', async () => {
  const { hooks, pass, poll } = openHooks();
  poll();
  poll({ hook: hook + 10, subject: 'Bash other' });
  hooks.ownState({ status: 'waiting' });
  hooks.ownState({ status: 'processing' });
  await pass(800);
  hooks.ownState({ status: 'waiting' });
  expect(hooks.open).toHaveLength(2);
  await pass(4000);
  expect(hooks.open).toHaveLength(2);
});

test('rule 23: a hook that the CLI has ended, or left behind, is let go, and its question is over', async () => {
  const ended = openHooks();
  ended.poll();
  ended.alive.delete(hook);
  await ended.pass(1000);
  expect(ended.hooks.open).toEqual([]);
  const orphan = openHooks();
  const waiting = orphan.poll();
  orphan.parents.set(101, 1);
  await orphan.pass(1000);
  expect(waiting.told()).toBe('dismissed');
  const late = orphan.poll();
  await orphan.pass(100);
  expect(late.told()).toBe('dismissed');
});

test('rule 41: a look that fails shows no end', async () => {
  const { hooks, alive, pass, poll } = openHooks();
  poll();
  alive.get = () => {
    throw new Error('EMFILE');
  };
  await pass(3000);
  expect(hooks.open).toHaveLength(1);
});

test('an end of ours dismisses nobody, and leaves what is under way unknown', async () => {
  const { hooks, pass, poll, decide } = openHooks();
  const waiting = poll();
  const decided = decide();
  await pass(100);
  hooks.confirm(idOf(waiting.told()));
  const other = poll({ hook: hook + 10 });
  hooks.close();
  await pass(100);
  expect(decided()).toMatchObject({ outcome: 'unknown' });
  expect(other.told()).toBe('nothing');
});
