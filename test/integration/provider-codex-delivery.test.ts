import { expect, onTestFinished, test } from 'vitest';
import { openEvidence } from '../../src/providers/codex/evidence.ts';
import { openNative } from '../../src/providers/codex/native.ts';
import type { AttemptTrace, Finding } from '../../src/providers/way-in.ts';
import type { FakeAppServer } from '../fakes/app-server.ts';
import {
  active,
  begin,
  change,
  contextIn,
  count,
  first,
  idle,
  openCodexLife,
  user,
  write,
} from '../support/codex-life.ts';
import { tempHome } from '../support/home.ts';
import { waitUntil } from '../support/wait-until.ts';

const mark = 'mark_01a_secret';
const second = '01a1df43-314b-7581-8d5e-3fb4480e12a8';

test('the queue of the shown thread takes a message under its mark, after the claim was asked for', async () => {
  const { server, native } = await openCodexLife();
  await waitUntil('the way in', () => native.blocked() === undefined);
  const injected = await native.inject({ ...injection, begin: async () => askedFor(server) === 0 });
  expect(injected).toEqual({ outcome: 'taken', receipt: `${first}/s1` });
  expect(server.requests.at(-1)?.params).toEqual({
    threadId: first,
    clientUserMessageId: mark,
    input: [{ type: 'text', text: injection.text }],
  });
});

test('rule 2: a claim that no longer holds, and an act that is too late, reach nobody', async () => {
  const { server, native } = await openCodexLife();
  await waitUntil('the way in', () => native.blocked() === undefined);
  const stale = await native.inject({ ...injection, begin: async () => false });
  const late = await native.inject({ ...injection, signal: AbortSignal.abort() });
  expect([stale.outcome, late.outcome]).toEqual(['refused', 'refused']);
  expect(askedFor(server)).toBe(0);
});

test.each([
  [{ code: -32_600, message: 'queue cannot contain more than 100 submissions' }, 'refused'],
  [{ code: -32_603, message: 'failed to add' }, 'unknown'],
  ['hang-up', 'unknown'],
] as const)('an answer of %j is %s', async (refusal, outcome) => {
  const { server, native } = await openCodexLife();
  await waitUntil('the way in', () => native.blocked() === undefined);
  server.refusals.set('thread/queue/add', refusal);
  expect((await native.inject(injection)).outcome).toBe(outcome);
});

test('it is blocked, with the reason, until a thread is known, and while the server is gone', async () => {
  const { server, native } = await openCodexLife({ threads: {} });
  expect(native.blocked()).toContain('not connected');
  await waitUntil('the connection', () => server.clients === 1);
  await waitUntil('no thread', () => native.blocked()?.includes('no conversation'));
  begin(server, first, { ...user, status: idle });
  await waitUntil('the way in', () => native.blocked() === undefined);
  await server.close();
  await waitUntil('the loss', () => native.blocked()?.includes('not connected'));
  expect((await native.inject(injection)).outcome).toBe('refused');
});

test('a Codex without an app-server says why it has no queue, and that nothing can be proven', async () => {
  const { native, evidence } = openPlain();
  expect(native.blocked()).toMatch(/0\.165\.0.*without an app-server/);
  expect((await native.inject(injection)).outcome).toBe('refused');
  expect((await evidence.judge([trace()]))[0]?.found).toBe('unknown');
});

test('rule 22: a queue that stands still is started, and a refusal to do so is none of our business', async () => {
  const { server, native } = await openCodexLife();
  await waitUntil('the way in', () => native.blocked() === undefined);
  server.refusals.set('thread/queue/start', { code: -32_600, message: 'queue is empty' });
  await native.release?.();
  expect(server.requests.at(-1)).toEqual({
    method: 'thread/queue/start',
    params: { threadId: first },
  });
});

test('from the queue to the rollout: held, none while it is on its way, landed, seen', async () => {
  const { server, native, evidence, rollout } = await openCodexLife();
  await waitUntil('the way in', () => native.blocked() === undefined);
  const injected = await native.inject(injection);
  const { receipt } = injected.outcome === 'taken' ? injected : {};
  const judge = async (): Promise<string | undefined> =>
    (await evidence.judge([{ ...trace(), ...(receipt ? { receipt } : {}) }]))[0]?.found;
  expect(await judge()).toBe('held');
  server.queues.clear();
  change(server, first, active);
  expect(await judge()).toBe('none');
  write(rollout, input);
  expect(await judge()).toBe('landed');
  write(rollout, output);
  expect(await judge()).toBe('seen');
});

test('rule 10: absent is only what was in neither place while its thread rested', async () => {
  const { server, native, evidence, changes } = await openCodexLife();
  await waitUntil('the way in', () => native.blocked() === undefined);
  const judge = async (): Promise<string | undefined> =>
    (await evidence.judge([trace()]))[0]?.found;
  expect(await judge()).toBe('none');
  // Something happened: the time of rest begins anew.
  server.notify({ method: 'thread/queue/changed', params: { threadId: first } });
  const before = changes();
  await waitUntil('a second look', () => changes() > before);
  expect(await judge()).toBe('none');
  await waitUntil('absence', async () => (await judge()) === 'absent');
});

test('rule 10: without its server, or with a rollout that cannot be read whole, absence is not claimed', async () => {
  const { server, native, evidence, rollout } = await openCodexLife();
  await waitUntil('the way in', () => native.blocked() === undefined);
  write(rollout, '{"type":"event_msg","payload":{"type":"item_comp');
  expect((await evidence.judge([trace()]))[0]?.found).toBe('unknown');
  await server.close();
  await waitUntil('the loss', () => native.blocked() !== undefined);
  const [lost] = await evidence.judge([trace()]);
  expect(lost).toMatchObject({ found: 'none', isUnasked: true });
});

test('a conversation that died before its first prompt never had it; one that lives may yet', async () => {
  const { server, native, evidence } = await openCodexLife();
  await waitUntil('the way in', () => native.blocked() === undefined);
  server.refusals.set('thread/queue/list', { code: -32_603, message: 'no rollout found' });
  const judge = async (isAlive: boolean): Promise<string | undefined> =>
    (await evidence.judge([{ ...trace(), isAlive }]))[0]?.found;
  await waitUntil('absence', async () => (await judge(false)) === 'absent');
  expect(await judge(true)).toBe('none');
});

test('a restart of ours reads from the beginning, and files that a person’s going back has added', async () => {
  const { evidence, native, rollout, server } = await openCodexLife();
  write(rollout, { ...input, ordinal: 3 });
  await waitUntil('the way in', () => native.blocked() === undefined);
  const found = async (): Promise<Finding | undefined> => (await evidence.judge([trace()]))[0];
  expect((await found())?.found).toBe('landed');
  const later = rollout.replace('.jsonl', '_01a1df43.jsonl');
  write(later, { type: 'session_meta', ordinal: 2 });
  server.threads.set(first, { ...server.threads.get(first), path: later });
  server.notify({ method: 'thread/reverted', params: { threadId: first } });
  await waitUntil('its removal', async () => (await found())?.found === 'removed');
  expect((await found())?.because).toBe('interrupted');
});

test('rule 42: what waits in the queue of a conversation that was left can be taken back, once', async () => {
  const { server, native, evidence } = await openCodexLife();
  await waitUntil('the way in', () => native.blocked() === undefined);
  const injected = await native.inject(injection);
  const { receipt } = injected.outcome === 'taken' ? injected : {};
  const attempt = { ...trace(), ...(receipt ? { receipt } : {}) };
  const judge = async (): Promise<Finding | undefined> => (await evidence.judge([attempt]))[0];
  expect((await judge())?.isLeft).toBeUndefined();
  begin(server, second, { ...user, recencyAt: 2, status: idle });
  await waitUntil('the other conversation', async () => (await judge())?.isLeft);
  expect(await judge()).toMatchObject({ found: 'held', isLeft: true });
  expect(await native.withdraw?.(attempt)).toBe('withdrawn');
  expect(server.queues.get(first)).toEqual([]);
  // It is not there any more: it may have been read meanwhile, and only the evidence can tell.
  expect(await native.withdraw?.(attempt)).toBe('unknown');
  await waitUntil('absence', async () => (await judge())?.found === 'absent');
});

test.each([
  ['the server refuses', { code: -32_603, message: 'failed' }],
  ['the server hangs up', 'hang-up'],
] as const)('rule 42: nothing was taken back for certain when %s', async (_, refusal) => {
  const { server, native } = await openCodexLife();
  await waitUntil('the way in', () => native.blocked() === undefined);
  await native.inject(injection);
  server.refusals.set('thread/queue/delete', refusal);
  expect(await native.withdraw?.(trace())).toBe('unknown');
});

test('rule 42: what its rollout holds was taken from the queue before, whatever the queue says', async () => {
  const { native, rollout } = await openCodexLife();
  await waitUntil('the way in', () => native.blocked() === undefined);
  await native.inject(injection);
  write(rollout, input);
  expect(await native.withdraw?.(trace())).toBe('unknown');
});

test('rule 42: what landed is left with its conversation, and is not when a person comes back to it', async () => {
  const { server, native, evidence, rollout } = await openCodexLife();
  await waitUntil('the way in', () => native.blocked() === undefined);
  write(rollout, input, aborted('interrupted'));
  const judge = async (): Promise<Finding | undefined> => (await evidence.judge([trace()]))[0];
  expect(await judge()).toMatchObject({ found: 'landed', isInterrupted: true });
  expect((await judge())?.isLeft).toBeUndefined();
  begin(server, second, { ...user, recencyAt: 2, status: idle });
  await waitUntil('the other conversation', async () => (await judge())?.isLeft);
  begin(server, first, { ...user, recencyAt: 1, status: idle });
  await waitUntil('the way back', async () => !(await judge())?.isLeft);
  expect(await judge()).toMatchObject({ found: 'landed', isInterrupted: true });
});

test('rule 42: while nobody knows which conversation is shown, none was left', async () => {
  const { server, native, evidence, rollout } = await openCodexLife({
    threads: { [first]: { ...user, status: idle }, [second]: { ...user, status: idle } },
  });
  await waitUntil('the way in', () => native.blocked() === undefined);
  write(rollout, input);
  const judge = async (): Promise<Finding | undefined> => (await evidence.judge([trace()]))[0];
  // Both were touched in the same second.
  expect(await judge()).toMatchObject({ found: 'landed' });
  expect((await judge())?.isLeft).toBeUndefined();
  begin(server, second, { ...user, status: idle });
  await waitUntil('the other conversation', async () => (await judge())?.isLeft);
  await server.close();
  await waitUntil('the loss', () => native.blocked() !== undefined);
  expect((await judge())?.isLeft).toBeUndefined();
});

test('rule 42: only a person interrupts', async () => {
  const { native, evidence, rollout } = await openCodexLife();
  await waitUntil('the way in', () => native.blocked() === undefined);
  write(rollout, input, aborted('replaced'));
  const [finding] = await evidence.judge([trace()]);
  expect(finding?.found).toBe('landed');
  expect(finding?.isInterrupted).toBeUndefined();
});

test('state, way in and evidence of one life share one connection, which ends with the last of them', async () => {
  const { server, native, evidence, watch } = await openCodexLife();
  await waitUntil('the way in', () => native.blocked() === undefined);
  expect(server.clients).toBe(1);
  watch.close();
  native.close();
  expect(native.blocked()).toBeDefined();
  expect((await evidence.judge([trace()]))[0]?.found).toBe('none');
  expect(server.clients).toBe(1);
  evidence.close();
  await waitUntil('the end of the connection', () => server.clients === 0);
});

const injection = {
  mark,
  at: 0,
  text: `<signalbox ${mark}>\nhello\n</signalbox ${mark}>`,
  begin: async () => true,
  signal: AbortSignal.timeout(60_000),
};

function trace(): AttemptTrace {
  const common = { mark, route: 'native', at: 0, isSubmitted: false, isAlive: true } as const;
  return { ...common, conversation: first };
}

function openPlain() {
  const context = contextIn(tempHome(), '0.165.0');
  const life = { current: () => context, changed: () => undefined };
  const native = openNative(life);
  const evidence = openEvidence(life);
  onTestFinished(() => {
    native.close();
    evidence.close();
  });
  return { native, evidence };
}

function askedFor(server: FakeAppServer): number {
  return count(server, 'thread/queue/add');
}

/** Records of 0.166.0, shortened. */
const input = {
  type: 'event_msg',
  payload: {
    type: 'item_completed',
    turn_id: 't1',
    item: {
      type: 'UserMessage',
      id: 'u1',
      content: [{ type: 'text', text: `<signalbox ${mark}>` }],
    },
  },
};
const output = {
  type: 'response_item',
  payload: {
    type: 'message',
    id: 'm1',
    role: 'assistant',
    content: [{ type: 'output_text', text: 'Yes' }],
  },
};

function aborted(reason: string): object {
  return { type: 'event_msg', payload: { type: 'turn_aborted', turn_id: 't1', reason } };
}
