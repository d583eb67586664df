import { spawn } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readLastAnswer } from '../../src/providers/codex/answer.ts';
import { appServerSocket } from '../../src/providers/codex/app-server.ts';
import { hasClient } from '../../src/providers/codex/first-client.ts';
import { watchState } from '../../src/providers/codex/state.ts';
import type { AgentContext, OwnState } from '../../src/providers/provider.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { type FakeAppServer, openFakeAppServer } from '../fakes/app-server.ts';
import { tempHome } from '../support/home.ts';
import { waitUntil } from '../support/wait-until.ts';

const first = '01a1df42-314b-7581-8d5e-3fb4480e12a8';
const second = '01a1df42-8ff7-7110-895b-8916627e94ff';
const hidden = '01a1df42-9754-7280-9759-321305064ded';
const user = { ephemeral: false, parentThreadId: null, threadSource: 'user', recencyAt: 1 };
const title = { ...user, ephemeral: true, threadSource: 'thread_title' };
const idle = { type: 'idle' };
const active = { type: 'active', activeFlags: [] };

test('what is true at the connection is told first, and then every change', async () => {
  const { server, next } = await connect({ [first]: { ...user, status: active } });
  await next({ report: { status: 'processing' }, conversation: first });
  change(server, first, { type: 'active', activeFlags: ['waitingOnApproval'] });
  await next({ report: { status: 'waiting', detail: 'permission' }, conversation: first });
  change(server, first, idle);
  await next({ report: { status: 'idle' }, conversation: first });
});

test('a failed turn is an error at once, and has the words of its failure once they are known', async () => {
  const { server, next } = await connect({ [first]: { ...user, status: idle } });
  await next({ report: { status: 'idle' }, conversation: first });
  change(server, first, { type: 'systemError' });
  await next({ report: { status: 'error' }, conversation: first });
  // Seen on 0.166.0: the list of turns hears of the end after everybody else.
  const turns = [{ status: 'failed', error: { message: 'unexpected status\n401' } }];
  server.threads.set(first, { ...server.threads.get(first), turns });
  const detail = 'unexpected status 401';
  await next({ report: { status: 'error', detail }, conversation: first });
});

test('the answer of a turn that has just ended is awaited, not the one before it given', async () => {
  const old = { status: 'completed', items: [{ type: 'agentMessage', text: 'old' }] };
  const turns = [{ status: 'inProgress', items: [] }, old];
  const { server, context } = await connect({ [first]: { ...user, status: idle, turns } });
  const asking = readLastAnswer({ ...context, conversation: first }, AbortSignal.timeout(20_000));
  const isAsked = () => server.asked.filter((method) => method === 'thread/turns/list').length > 1;
  await waitUntil('the second look', isAsked);
  const ended = { status: 'completed', items: [{ type: 'agentMessage', text: 'new' }] };
  server.threads.set(first, { ...server.threads.get(first), turns: [ended, old] });
  expect(await asking).toEqual({ kind: 'answer', text: 'new', isPartial: false });
});

test("rule 38: title threads change nothing, and a person's new conversation is followed", async () => {
  const { server, next } = await connect({ [first]: { ...user, status: idle } });
  await next({ report: { status: 'idle' }, conversation: first });
  begin(server, hidden, { ...title, status: idle });
  change(server, hidden, active);
  begin(server, second, { ...user, status: idle });
  await next({ report: { status: 'idle' }, conversation: second });
  change(server, second, active);
  await next({ report: { status: 'processing' }, conversation: second });
});

test('O5: garbage, unknown words and requests for a person are passed over', async () => {
  const { server, next } = await connect({ [first]: { ...user, status: idle } });
  await next({ report: { status: 'idle' }, conversation: first });
  server.notify('{"method":"thread/sta');
  server.notify('[null]');
  server.notify({ method: 'thread/status/changed' });
  server.notify({ id: 7, method: 'item/commandExecution/requestApproval', params: {} });
  server.notify({ method: 'warning', params: { message: 'x'.repeat(200_000) } });
  change(server, first, active);
  await next({ report: { status: 'processing' }, conversation: first });
  expect(server.asked.filter((method) => method === undefined)).toEqual([]);
});

test('a server that dies is a lost source, and is found again when it is back', async () => {
  const { server, watch, next, path } = await connect({ [first]: { ...user, status: active } });
  expect(watch.isBehind?.()).toBe(true);
  await next({ report: { status: 'processing' }, conversation: first });
  await waitUntil('all that ended before', () => watch.isBehind?.() === false);
  await server.close();
  await next({ report: undefined });
  expect(watch.isBehind?.()).toBe(true);
  const again = await openFakeAppServer(path);
  onTestFinished(() => again.close());
  again.threads.set(first, { ...user, id: first, status: idle });
  await next({ report: { status: 'idle' }, conversation: first });
});

test('bytes that are no message end the connection, not the daemon', async () => {
  const { server, next } = await connect({ [first]: { ...user, status: idle } });
  await next({ report: { status: 'idle' }, conversation: first });
  // A frame that claims to be larger than anything we would hold.
  server.sendRaw(Buffer.from([0x81, 127, 0, 0, 1, 0, 0, 0, 0, 0]));
  await next({ report: undefined });
  await next({ report: { status: 'idle' }, conversation: first });
});

test.skipIf(process.platform !== 'linux')(
  'the terminal program connects first, since the server keeps the name of its first client',
  async () => {
    const { server, path } = await connect({}, { startedAt: systemClock.now() });
    expect(hasClient(path)).toBe(false);
    const program = createConnection(path);
    onTestFinished(() => void program.destroy());
    await waitUntil('its connection', () => hasClient(path));
    expect(server.clients).toBe(0);
    await waitUntil('ours after it', () => server.clients === 1);
  },
);

test('closing leaves no connection behind', async () => {
  const { server, next, watch, states } = await connect({ [first]: { ...user, status: idle } });
  await next({ report: { status: 'idle' }, conversation: first });
  watch.close();
  await waitUntil('the end of the connection', () => server.clients === 0);
  expect(states).toHaveLength(1);
});

test('an answer of 1 MB comes through the server (B15), and a frozen one is left within its deadline', {
  tags: ['full'],
}, async () => {
  const text = 'ü'.repeat(524_288);
  const turns = [{ status: 'completed', items: [{ type: 'agentMessage', text }] }];
  const { server, context } = await connect({ [first]: { ...user, status: idle, turns } });
  const asking = { ...context, conversation: first };
  const answer = { kind: 'answer', text, isPartial: false };
  expect(await readLastAnswer(asking, AbortSignal.timeout(20_000))).toEqual(answer);
  server.freeze();
  expect(await readLastAnswer(asking, AbortSignal.timeout(20_000))).toBeUndefined();
});

test.skipIf(process.platform !== 'linux')(
  'without an app-server the conversation is that of the rollout it holds open',
  async () => {
    const home = tempHome();
    const rollout = join(home, `rollout-2026-11-15T12-50-19-${second}.jsonl`);
    // A launcher whose child holds the file, as npm's codex does.
    const script = 'sleep 300 3>"$0" & echo $!; wait';
    const agent = spawn('sh', ['-c', script, rollout], { stdio: ['ignore', 'pipe', 'ignore'] });
    const child = Number(
      await new Promise((done) => agent.stdout.once('data', (text) => done(String(text)))),
    );
    onTestFinished(() => {
      process.kill(child, 'SIGKILL');
      agent.kill('SIGKILL');
    });
    const states: OwnState[] = [];
    const context = { ...contextIn(home), pid: agent.pid ?? 0 };
    const watch = watchState(context, (state) => states.push(state));
    onTestFinished(() => watch.close());
    await waitUntil('the conversation', () => {
      watch.check();
      return states.length > 0;
    });
    expect(states).toEqual([{ report: undefined, conversation: second }]);
  },
);

async function connect(
  threads: Record<string, Record<string, unknown>>,
  { startedAt = 0 }: { startedAt?: number } = {},
) {
  // As deep as a state folder may be: the server's own place is short, and the run folder holds a
  // link to it.
  const runFolder = tempHome(`signalbox-${'deep'.repeat(25)}-`);
  const path = join(tempHome(), 'a.sock');
  symlinkSync(path, appServerSocket(runFolder));
  const server = await openFakeAppServer(path);
  onTestFinished(() => server.close());
  for (const [id, thread] of Object.entries(threads)) server.threads.set(id, { id, ...thread });
  const context = { ...contextIn(runFolder), startedAt };
  const states: OwnState[] = [];
  const watch = watchState(context, (state) => states.push(state));
  onTestFinished(() => watch.close());
  let read = 0;
  const next = async (expected: object): Promise<void> => {
    await waitUntil(JSON.stringify(expected), () => states.length > read);
    expect(states[read++]).toEqual(expected);
  };
  return { server, watch, next, states, context, path };
}

function contextIn(runFolder: string): AgentContext {
  return {
    agent: 'agt_1',
    pid: process.pid,
    cwd: '/srv/app',
    runFolder,
    conversation: undefined,
    startedAt: 0,
    version: '0.166.0',
    env: { HOME: runFolder },
  };
}

function begin(server: FakeAppServer, id: string, thread: Record<string, unknown>): void {
  server.threads.set(id, { id, ...thread });
  server.notify({ method: 'thread/started', params: { thread: { id, ...thread } } });
}

function change(server: FakeAppServer, threadId: string, status: object): void {
  server.threads.set(threadId, { ...server.threads.get(threadId), status });
  server.notify({ method: 'thread/status/changed', params: { threadId, status } });
}
