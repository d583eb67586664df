import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeOpenCode } from '../../../test/fakes/opencode-server.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import type { Injected, NativeRoute } from '../way-in.ts';
import { deriveMessageId } from './message-id.ts';
import { openNative } from './native.ts';

const mark = 'mark_01m7fyta2800vvhhbp7shf01w4_secret';
const id = deriveMessageId({ mark, at: 0 });
const text = `<signalbox ${mark}> hello </signalbox ${mark}>`;
let runFolder: string;
let server: FakeOpenCode;
let native: NativeRoute | undefined;
let conversation: string | undefined;

beforeEach(async () => {
  runFolder = mkdtempSync(join(tmpdir(), 'signalbox-opencode-'));
  server = await FakeOpenCode.open('oc_secret');
  conversation = undefined;
});
afterEach(async () => {
  native?.close();
  native = undefined;
  await server.close();
  rmSync(runFolder, { recursive: true, force: true });
});

test('the session that the person sees is addressed, under an id that follows from the mark', async () => {
  session('ses_a');
  session('ses_b');
  conversation = 'ses_a';
  shows({ view: 'session', session: 'ses_b' });
  expect(await inject()).toEqual({ outcome: 'taken', receipt: `ses_b/${id}` });
  expect(server.posts).toEqual([
    {
      path: '/session/ses_b/prompt_async',
      body: { messageID: id, parts: [{ type: 'text', text }] },
    },
  ]);
});

test.each([
  ['a fresh terminal', { view: 'home' }],
  ['one after /new', { view: 'home' }],
])('for %s a conversation is begun and shown before the message goes there', async (_, shown) => {
  session('ses_a');
  conversation = 'ses_a';
  shows(shown);
  expect(await inject()).toEqual({ outcome: 'taken', receipt: `ses_2/${id}` });
  expect(server.posts.map(({ path }) => path)).toEqual([
    '/session',
    '/tui/select-session',
    '/session/ses_2/prompt_async',
  ]);
  expect(server.posts[1]?.body).toEqual({ sessionID: 'ses_2' });
});

test('a second message joins the conversation that was begun for the first, though the terminal does not show it yet', async () => {
  shows({ view: 'home', changes: 1 });
  await inject({ model: 'lab/m' });
  native?.close();
  // A next life of the daemon knows of it, too.
  native = undefined;
  const second = await inject(
    { model: 'lab/m' },
    undefined,
    'mark_01m7fyta2800vvhhbp7shf01w5_secret',
  );
  expect(second).toMatchObject({ receipt: expect.stringMatching(/^ses_1\//) });
  expect(server.posts.map(({ path }) => path)).toEqual([
    '/session',
    '/tui/select-session',
    '/session/ses_1/prompt_async',
    '/tui/select-session',
    '/session/ses_1/prompt_async',
  ]);
  expect(server.posts.at(-1)?.body).toMatchObject({ model: { providerID: 'lab', modelID: 'm' } });
});

test('a terminal that has shown it since, and shows none any more, was left with /new', async () => {
  shows({ view: 'home', changes: 1 });
  await inject();
  shows({ view: 'home', changes: 3 });
  const second = await inject({}, undefined, 'mark_01m7fyta2800vvhhbp7shf01w5_secret');
  expect(second).toMatchObject({ receipt: expect.stringMatching(/^ses_2\//) });
});

test('a begun conversation gets the model and the agent that the terminal was launched with', async () => {
  shows({ view: 'home' });
  await inject({ model: 'lab/some/model', agent: 'plan' });
  expect(server.posts.at(-1)?.body).toMatchObject({
    agent: 'plan',
    model: { providerID: 'lab', modelID: 'some/model' },
  });
});

test('agent and model are those of the conversation: one that plans does not begin to build', async () => {
  const model = { id: 'm', providerID: 'p', variant: 'high' };
  session('ses_a', { agent: 'plan', model });
  shows({ view: 'session', session: 'ses_a' });
  await inject();
  expect(server.posts.at(-1)?.body).toMatchObject({
    agent: 'plan',
    model: { providerID: 'p', modelID: 'm' },
    variant: 'high',
  });
});

test('where nobody tells what is shown, the conversation is brought to the fore first', async () => {
  session('ses_a');
  conversation = 'ses_a';
  expect(await inject()).toMatchObject({ outcome: 'taken' });
  expect(server.posts.map(({ path }) => path)).toEqual([
    '/tui/select-session',
    '/session/ses_a/prompt_async',
  ]);
});

test('rule 38: a person who looks at a sub-agent’s session is not followed there', async () => {
  session('ses_a');
  session('ses_b', { parentID: 'ses_a' });
  shows({ view: 'session', session: 'ses_b' });
  expect(await inject()).toEqual({ outcome: 'taken', receipt: `ses_a/${id}` });
});

test('a message that is there already is not sent again', async () => {
  session('ses_a');
  server.messages.set('ses_a', [{ info: { id, role: 'user' }, parts: [] }]);
  shows({ view: 'session', session: 'ses_a' });
  const begin = vi.fn(async () => true);
  expect(await inject({}, begin)).toEqual({ outcome: 'taken', receipt: `ses_a/${id}` });
  expect(begin).not.toHaveBeenCalled();
  expect(server.posts).toEqual([]);
});

test('rule 2: when the claim no longer holds nothing is sent', async () => {
  session('ses_a');
  shows({ view: 'session', session: 'ses_a' });
  expect(await inject({}, async () => false)).toMatchObject({ outcome: 'refused' });
  expect(server.posts).toEqual([]);
});

test.each([
  ['a refusal is certain', 400, 'refused'],
  ['a failure is not', 500, 'unknown'],
  ['a lost connection is not', 'drop', 'unknown'],
] as const)('%s', async (_, fault, outcome) => {
  session('ses_a');
  shows({ view: 'session', session: 'ses_a' });
  server.faults.set('POST /session/*/prompt_async', fault);
  expect(await inject()).toMatchObject({ outcome });
});

test('it says why it cannot be used: no server of ours, or one that does not answer yet', async () => {
  const bare = openNative(life());
  expect(bare.blocked()).toContain('without a server');
  expect(await bare.inject(injection())).toMatchObject({ outcome: 'refused' });
  server.faults.set('GET /session/status', 500);
  writeAddress({});
  native = openNative(life());
  expect(native.blocked()).toContain('does not answer yet');
  expect(await native.inject(injection())).toMatchObject({ outcome: 'refused' });
  server.faults.clear();
  await waitFor(() => expect(native?.blocked()).toBeUndefined());
});

test('a server that went away is certain, and blocks until it is back', async () => {
  session('ses_a');
  shows({ view: 'session', session: 'ses_a' });
  const route = await open();
  await server.close();
  expect(await route.inject(injection())).toMatchObject({ outcome: 'refused' });
  expect(route.blocked()).toBeDefined();
});

test('rule 22: what an interruption left unanswered is begun once more, without its text', async () => {
  session('ses_a', { agent: 'plan' });
  shows({ view: 'session', session: 'ses_a' });
  const route = await open();
  await route.inject(injection());
  await route.release?.();
  expect(server.posts.at(-1)).toEqual({
    path: '/session/ses_a/prompt_async',
    body: { messageID: id, agent: 'plan', parts: [] },
  });
});

test('rule 22: after a request that failed nothing is begun: the next one would fail as well', async () => {
  session('ses_a');
  shows({ view: 'session', session: 'ses_a' });
  const route = await open();
  await route.inject(injection());
  const error = { name: 'APIError' };
  const failed = { info: { id: 'msg_2', role: 'assistant', parentID: id, error }, parts: [] };
  server.messages.get('ses_a')?.push(failed);
  await route.release?.();
  expect(server.posts).toHaveLength(1);
});

test('rule 22: nothing is begun while it works, after an answer, or for a person’s own prompt', async () => {
  session('ses_a');
  shows({ view: 'session', session: 'ses_a' });
  const route = await open();
  await route.inject(injection());
  const posts = server.posts.length;
  server.status['ses_a'] = { type: 'busy' };
  await route.release?.();
  delete server.status['ses_a'];
  const answer = { info: { id: 'msg_2', role: 'assistant' }, parts: [{ type: 'step-start' }] };
  server.messages.get('ses_a')?.push(answer);
  await route.release?.();
  const quoted = { info: { id: 'msg_3', role: 'user' }, parts: [{ type: 'text', text }] };
  server.messages.get('ses_a')?.push(quoted);
  await route.release?.();
  expect(server.posts).toHaveLength(posts);
});

test('the turn of the session that the person sees is broken off, and at rest nothing is', async () => {
  session('ses_a');
  session('ses_b');
  conversation = 'ses_a';
  shows({ view: 'session', session: 'ses_b' });
  const route = await open();
  expect(await route.interrupt?.()).toEqual({ outcome: 'at-rest' });
  expect(server.posts).toEqual([]);
  server.status['ses_b'] = { type: 'busy' };
  expect(await route.interrupt?.()).toEqual({ outcome: 'asked' });
  expect(server.posts).toEqual([{ path: '/session/ses_b/abort', body: {} }]);
  expect(server.status).toEqual({});
});

test.each([
  ['GET /session/status', 500, 'refused'],
  ['POST /session/*/abort', 404, 'refused'],
  ['POST /session/*/abort', 500, 'unknown'],
  ['POST /session/*/abort', 'drop', 'unknown'],
] as const)('rule 41: %s answered with %s leaves it %s', async (request, fault, outcome) => {
  session('ses_a');
  conversation = 'ses_a';
  const route = await open();
  server.status['ses_a'] = { type: 'busy' };
  server.faults.set(request, fault);
  expect(await route.interrupt?.()).toMatchObject({ outcome });
  server.faults.clear();
});

async function inject(
  address: object = {},
  begin?: () => Promise<boolean>,
  other = mark,
): Promise<Injected> {
  return await (await open(address)).inject({ ...injection(begin), mark: other });
}

async function open(address: object = {}): Promise<NativeRoute> {
  writeAddress(address);
  const route = openNative(life());
  native = route;
  await waitFor(() => expect(route.blocked()).toBeUndefined());
  return route;
}

function injection(begin: () => Promise<boolean> = async () => true) {
  return { mark, at: 0, text, begin, signal: AbortSignal.timeout(10_000) };
}

function session(name: string, more: object = {}): void {
  server.sessions.set(name, { id: name, time: { updated: 0 }, ...more });
}

function shows(shown: object): void {
  writeFileSync(join(runFolder, 'shown.json'), JSON.stringify(shown));
}

function writeAddress(more: object): void {
  const address = { hostname: '127.0.0.1', port: server.port, password: 'oc_secret', ...more };
  writeFileSync(join(runFolder, 'server.json'), JSON.stringify(address));
}

function life() {
  const rest = { agent: 'agt_1', pid: 1, cwd: '/srv/app', startedAt: 0, version: '1.18.33' };
  return {
    current: () => ({ ...rest, env: {}, runFolder, conversation }),
    changed: () => undefined,
  };
}
