import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { type FakeMessage, FakeOpenCode } from '../../../test/fakes/opencode-server.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { type CaughtBug, keepBugs } from '../../shared/report-bug.ts';
import type { AttemptTrace, Evidence, Finding } from '../way-in.ts';
import { openEvidence } from './evidence.ts';
import { deriveMessageId } from './message-id.ts';

const mark = 'mark_01m7fyta2800vvhhbp7shf01w4_secret';
const id = deriveMessageId({ mark, at: 0 });
const at = 1_794_758_224_000;
const ours = { info: { id, role: 'user' }, parts: [{ type: 'text', text: mark }] };
const answer = {
  info: { id: 'msg_2', role: 'assistant', parentID: id },
  parts: [{ type: 'step-start' }, { type: 'text', text: 'Yes' }],
};
let runFolder: string;
let server: FakeOpenCode;
let evidence: Evidence | undefined;
let changes: number;
let conversation: string | undefined;

beforeEach(async () => {
  runFolder = mkdtempSync(join(tmpdir(), 'signalbox-opencode-'));
  server = await FakeOpenCode.open('oc_secret');
  const address = { hostname: '127.0.0.1', port: server.port, password: 'oc_secret' };
  writeFileSync(join(runFolder, 'server.json'), JSON.stringify(address));
  session('ses_a');
  changes = 0;
  conversation = undefined;
});
afterEach(async () => {
  evidence?.close();
  evidence = undefined;
  await server.close();
  rmSync(runFolder, { recursive: true, force: true });
});

test('with and without a receipt the message is found by its id, in a session that changed since', async () => {
  session('ses_b', at + 5);
  session('ses_old', at - 3_600_000);
  server.messages.set('ses_b', [ours, answer]);
  expect(await judge({ receipt: `ses_b/${id}` })).toMatchObject({ found: 'seen' });
  expect(await judge({})).toMatchObject({ found: 'seen' });
});

test('rule 10: after a death what no session holds is absent; before, it may still come', async () => {
  expect(await judge({ receipt: `ses_a/${id}` })).toMatchObject({ found: 'none' });
  expect(await judge({ receipt: `ses_a/${id}`, isAlive: false })).toMatchObject({
    found: 'absent',
  });
  expect(await judge({ isAlive: false })).toMatchObject({ found: 'absent' });
  expect(await judge({ receipt: `ses_gone/${id}`, isAlive: false })).toMatchObject({
    found: 'unknown',
  });
});

test('rule 10: after a death what a session holds rides with its next request', async () => {
  server.messages.set('ses_a', [ours]);
  expect(await judge({ isAlive: false })).toMatchObject({ found: 'landed' });
});

test('rule 42: a message in a conversation that was left waits for no next request, unless it still works', async () => {
  server.messages.set('ses_a', [ours]);
  conversation = 'ses_b';
  expect(await judge({ receipt: `ses_a/${id}` })).toMatchObject({ found: 'landed', isLeft: true });
  server.status['ses_a'] = { type: 'busy' };
  const working = await judge({ receipt: `ses_a/${id}` });
  expect(working).toMatchObject({ found: 'landed' });
  expect(working?.isLeft).toBeUndefined();
});

test('rule 42: after /new nothing is shown, and the last conversation was left', async () => {
  server.messages.set('ses_a', [ours]);
  conversation = 'ses_a';
  session('ses_b', at);
  const isLeft = async (): Promise<boolean | undefined> =>
    (await judge({ receipt: `ses_a/${id}` }))?.isLeft;
  expect(await isLeft()).toBeUndefined();
  show({ view: 'home' });
  expect(await isLeft()).toBe(true);
  show({ view: 'other' });
  expect(await isLeft()).toBeUndefined();
  show({ view: 'session', session: 'ses_a' });
  expect(await isLeft()).toBeUndefined();
  show({ view: 'session', session: 'ses_b' });
  expect(await isLeft()).toBe(true);
});

test('a server that does not answer, or is not ours, makes nothing certain, and is no mistake of ours', async () => {
  const caught: CaughtBug[] = [];
  onTestFinished(keepBugs((bug) => caught.push(bug)));
  server.messages.set('ses_a', [ours]);
  server.faults.set('GET /session/*/message', 500);
  expect(await judge({ receipt: `ses_a/${id}`, isAlive: true })).toMatchObject({
    found: 'unknown',
  });
  server.faults.set('GET /session/*/message/*', 500);
  expect(await judge({ receipt: `ses_a/${id}`, isAlive: false })).toMatchObject({
    found: 'unknown',
  });
  await server.close();
  expect(await judge({ isAlive: false })).toMatchObject({ found: 'unknown' });
  rmSync(join(runFolder, 'server.json'));
  expect(await judge({ isAlive: false })).toMatchObject({ found: 'unknown' });
  expect(caught).toEqual([]);
});

test('all attempts are judged by one look: what answers the last of them proves those before it at the same time', async () => {
  const later = 'mark_01m7fyta2800vvhhbp7shf01w5_secret';
  const behind = deriveMessageId({ mark: later, at: 0 });
  const reminder = { info: { id: behind, role: 'user' }, parts: [{ type: 'text', text: later }] };
  const answered = { ...answer, info: { ...answer.info, parentID: behind } };
  server.messages.set('ses_a', [ours, reminder]);
  // The answer comes when the first has been judged.
  server.onGet = (path) => {
    if (path === '/session/ses_a/message') server.onGet = () => add(answered);
  };
  const open = openEvidence(life());
  evidence = open;
  const pair = [
    trace({ receipt: `ses_a/${id}` }),
    trace({ mark: later, receipt: `ses_a/${behind}` }),
  ];
  const early = await open.judge(pair);
  expect(early.map(({ found }) => found)).toEqual(['landed', 'landed']);
  expect((await open.judge(pair)).map(({ found }) => found)).toEqual(['seen', 'seen']);
});

test('a message that has come since the look began is looked for anew', async () => {
  const first = { info: { id: 'msg_1', role: 'user' }, parts: [] };
  server.messages.set('ses_a', [first]);
  server.onGet = (path) => {
    if (path === '/session/ses_a/message') server.onGet = () => add(ours, answer);
  };
  expect(await judge({ receipt: `ses_a/${id}` })).toMatchObject({ found: 'seen' });
});

test('while something is awaited it listens, and tells once when the model says its first word', async () => {
  server.messages.set('ses_a', [ours]);
  const open = openEvidence(life());
  evidence = open;
  await open.judge([trace({ receipt: `ses_a/${id}` })]);
  await waitFor(() => expect(changes).toBe(1));
  // Its text is on record only when it is whole.
  const begun = { ...answer, parts: [{ type: 'step-start' }, { type: 'text', text: '' }] };
  server.messages.get('ses_a')?.push(begun);
  const place = { sessionID: 'ses_a', messageID: 'msg_2' };
  const part = { id: 'prt_1', ...place };
  const update = (more: object): void =>
    server.send({ type: 'message.part.updated', properties: { part: { ...part, ...more } } });
  const say = (delta: string): void =>
    server.send({ type: 'message.part.delta', properties: { ...place, field: 'text', delta } });
  update({ type: 'step-start' });
  update({ type: 'text', text: '' });
  say('');
  // An event that is told shows that those before it were not.
  server.send({ type: 'session.status', properties: {} });
  await waitFor(() => expect(changes).toBe(2));
  expect(await open.judge([trace({ receipt: `ses_a/${id}` })])).toMatchObject([
    { found: 'landed' },
  ]);
  for (const word of ['Yes', ', ', 'of', ' course']) say(word);
  await waitFor(() => expect(changes).toBe(3));
  expect(await open.judge([trace({ receipt: `ses_a/${id}` })])).toMatchObject([{ found: 'seen' }]);
  // What is proven needs no server.
  await server.close();
  expect(await open.judge([trace({ receipt: `ses_a/${id}` })])).toMatchObject([{ found: 'seen' }]);
});

test('all messages of a life share one connection: OpenCode forgets none that was closed', async () => {
  const open = openEvidence(life());
  evidence = open;
  for (let n = 0; n < 12; n++) {
    server.messages.set('ses_a', [ours]);
    const next = trace({ receipt: `ses_a/${id}` });
    expect(await open.judge([next])).toMatchObject([{ found: 'landed' }]);
    await waitFor(() => expect(server.streams).toBe(1));
    server.messages.set('ses_a', [ours, answer]);
    expect(await open.judge([next])).toMatchObject([{ found: 'seen' }]);
    expect(await open.judge([])).toEqual([]);
  }
  expect(server.opened).toBe(1);
  open.close();
  await waitFor(() => expect(server.streams).toBe(0));
});

function add(...messages: readonly FakeMessage[]): void {
  server.onGet = () => undefined;
  server.messages.get('ses_a')?.push(...messages);
}

function show(shown: object): void {
  writeFileSync(join(runFolder, 'shown.json'), JSON.stringify(shown));
}

async function judge(more: Partial<AttemptTrace>): Promise<Finding | undefined> {
  evidence?.close();
  evidence = openEvidence(life());
  return (await evidence.judge([trace(more)]))[0];
}

function trace(more: Partial<AttemptTrace>): AttemptTrace {
  const rest = { isSubmitted: false, isAlive: true, conversation: undefined };
  return { mark, route: 'native', at, ...rest, ...more };
}

function session(name: string, updated = at): void {
  server.sessions.set(name, { id: name, time: { updated } });
}

function life() {
  const rest = { agent: 'agt_1', pid: 1, cwd: '/srv/app', startedAt: 0, version: '1.18.33' };
  return {
    current: () => ({ ...rest, env: {}, runFolder, conversation }),
    changed: () => {
      changes++;
    },
  };
}
