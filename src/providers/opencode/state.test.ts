import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitFor } from '../../../test/support/wait-for.ts';
import type { OwnState, StateWatch } from '../provider.ts';
import { readLastAnswer } from './answer.ts';
import { watchState } from './state.ts';

const password = 'oc_secret';
const authorization = `Basic ${btoa(`opencode:${password}`)}`;
let runFolder: string;
let server: FakeServer;
let watch: StateWatch | undefined;
let said: OwnState[];

beforeEach(async () => {
  runFolder = mkdtempSync(join(tmpdir(), 'signalbox-opencode-'));
  server = await FakeServer.open();
  said = [];
});

afterEach(async () => {
  watch?.close();
  watch = undefined;
  await server.close();
  rmSync(runFolder, { recursive: true, force: true });
});

test('what is true at the start is asked for, and what changes is told at once', async () => {
  server.answers.set('/session/status', { ses_a: { type: 'busy' } });
  open();
  await until(() => last()?.report?.status === 'processing');
  expect(last()?.conversation).toBe('ses_a');
  server.send({ type: 'permission.asked', properties: { id: 'per_1', sessionID: 'ses_a' } });
  await until(() => last()?.report?.status === 'waiting');
  server.send({
    type: 'session.status',
    properties: { sessionID: 'ses_a', status: { type: 'idle' } },
  });
  await until(() => last()?.report?.status === 'idle');
});

test('rule 26: the end of a turn is told by its last step, once, although it is said twice', async () => {
  server.answers.set('/session/status', { ses_a: { type: 'busy' } });
  open();
  await until(() => last()?.report?.status === 'processing');
  const error = { name: 'APIError', data: { message: 'mock failure 401' } };
  const info = { id: 'msg_2', role: 'assistant', time: { completed: 2 }, error };
  server.pages = [[{ info, parts: [] }]];
  const idle = { sessionID: 'ses_a', status: { type: 'idle' } };
  server.send({ type: 'session.error', properties: { sessionID: 'ses_a', error } });
  server.send({ type: 'session.status', properties: idle });
  await until(() => turnEnds().length > 0);
  server.answers.set('/session/status', {});
  server.send({ type: 'session.status', properties: idle });
  server.dropStreams();
  await until(() => said.at(-1)?.report === undefined);
  await until(() => last()?.report?.status === 'error');
  const end = { session: 'ses_a', id: 'msg_2', stop: 1, outcome: 'failed' };
  expect(turnEnds()).toEqual([
    { ...end, endedAt: 2, held: [], text: '', why: 'APIError: mock failure 401' },
  ]);
  expect(said.find(({ turnEnd }) => turnEnd)?.report?.status).toBe('error');
});

test('rule 26: a turn that ended while nobody listened is told when the connection is back', async () => {
  const info = { id: 'msg_2', role: 'assistant', finish: 'stop', time: { completed: 2 } };
  server.pages = [[{ info, parts: [{ type: 'text', text: 'It is 42.' }] }]];
  writeAddress();
  watch = watchState(context('ses_a'), (state) => said.push(state));
  await until(() => turnEnds().length > 0);
  expect(turnEnds()).toMatchObject([{ id: 'msg_2', outcome: 'completed', text: 'It is 42.' }]);
});

test('rules 5, 26: the end of a turn that was seen at work is told, also when the clock was set back since this life began', async () => {
  const step = (id: string) => ({
    info: { id, role: 'assistant', finish: 'stop', time: { completed: Date.now() } },
    parts: [{ type: 'text', text: `words of ${id}` }],
  });
  const [old, latest] = [step('msg_1'), step('msg_2')];
  server.pages = [[old]];
  server.answers.set('/session/status', { ses_a: { type: 'busy' } });
  writeAddress();
  const life = { ...context('ses_a'), startedAt: Date.now() + 3_600_000 };
  watch = watchState(life, (state) => said.push(state));
  await until(() => last()?.report?.status === 'processing');
  server.pages = [[old, latest]];
  const idle = { sessionID: 'ses_a', status: { type: 'idle' } };
  server.send({ type: 'session.status', properties: idle });
  await until(() => turnEnds().length > 0);
  expect(turnEnds()).toMatchObject([{ id: 'msg_2', text: 'words of msg_2' }]);
});

test('rule 26: so is one that ended in a conversation that was left meanwhile', async () => {
  const info = { id: 'msg_2', role: 'assistant', finish: 'stop', time: { completed: 2 } };
  server.pages = [[{ info, parts: [{ type: 'text', text: 'It is 42.' }] }]];
  server.answers.set('/session/status', { ses_b: { type: 'busy' } });
  writeAddress();
  watch = watchState(context('ses_a'), (state) => said.push(state));
  await until(() => turnEnds().length > 0);
  expect(turnEnds()).toMatchObject([{ session: 'ses_a', id: 'msg_2', text: 'It is 42.' }]);
});

test('rule 26: so is one in a conversation that was left before, and that holds a task', async () => {
  const info = { id: 'msg_2', role: 'assistant', finish: 'stop', time: { completed: 2 } };
  server.pages = [[{ info, parts: [{ type: 'text', text: 'It is 42.' }] }]];
  server.answers.set('/session/status', { ses_b: { type: 'busy' } });
  writeAddress();
  const owing = { ...context('ses_b'), owedReceipts: ['ses_a/msg_1'] };
  watch = watchState(owing, (state) => said.push(state));
  await until(() => turnEnds().length > 0);
  expect(turnEnds()).toMatchObject([{ session: 'ses_a', id: 'msg_2', text: 'It is 42.' }]);
});

test('rules 38, 41: a session that cannot be read hides no other, and ends no turn until it is known', async () => {
  server.answers.set('/session/status', { ses_b: { type: 'busy' }, ses_c: { type: 'busy' } });
  server.broken.add('/session/ses_b');
  server.answers.set('/permission', [{ id: 'per_1', sessionID: 'ses_c' }]);
  open();
  await until(() => last()?.report?.status === 'waiting');
  expect(last()?.conversation).toBe('ses_c');
  server.send({ type: 'permission.replied', properties: { requestID: 'per_1' } });
  await until(() => last()?.report?.status === 'processing');
  // Its trouble is over: it was a conversation all along.
  server.broken.clear();
  await until(() => last()?.conversation === 'ses_b');
  const info = { id: 'msg_2', role: 'assistant', finish: 'stop', time: { completed: 2 } };
  server.pages = [[{ info, parts: [{ type: 'text', text: 'It is 42.' }] }]];
  const idle = { sessionID: 'ses_b', status: { type: 'idle' } };
  server.send({ type: 'session.status', properties: idle });
  await until(() => turnEnds().length > 0);
  expect(turnEnds()).toMatchObject([{ session: 'ses_b', text: 'It is 42.' }]);
});

test('rule 38: the end of a sub-agent’s work is no end of a turn', async () => {
  server.answers.set('/session/status', { ses_b: { type: 'busy' } });
  server.answers.set('/session/ses_b', { id: 'ses_b', parentID: 'ses_a' });
  server.pages = [[{ info: { id: 'msg_2', role: 'assistant', finish: 'stop' }, parts: [] }]];
  open();
  await until(() => last()?.report?.status === 'processing');
  const idle = { sessionID: 'ses_b', status: { type: 'idle' } };
  server.send({ type: 'session.status', properties: idle });
  await until(() => last()?.report?.status === 'idle');
  expect(turnEnds()).toEqual([]);
});

test('a session of a sub-agent that works at the start is not taken for the conversation (rule 38)', async () => {
  server.answers.set('/session/status', { ses_b: { type: 'busy' } });
  server.answers.set('/session/ses_b', { id: 'ses_b', parentID: 'ses_a' });
  open();
  await until(() => last()?.report?.status === 'processing');
  expect(last()?.conversation).toBeUndefined();
});

test('a lost connection is told, and the next one begins with what is true then', async () => {
  open();
  expect(watch?.isBehind?.()).toBe(true);
  await until(() => last()?.report?.status === 'idle');
  await until(() => watch?.isBehind?.() === false);
  server.answers.set('/session/status', { ses_a: { type: 'busy' } });
  let wasBehind = false;
  server.dropStreams();
  await until(() => {
    wasBehind ||= watch?.isBehind?.() === true;
    return said.some((state) => state.report === undefined);
  });
  await until(() => last()?.report?.status === 'processing');
  expect(wasBehind).toBe(true);
});

test('an event that cannot be read makes it ask again', async () => {
  open();
  await until(() => last()?.report?.status === 'idle');
  server.answers.set('/permission', [{ id: 'per_1', sessionID: 'ses_a' }]);
  server.sendRaw('data: {"type":"permission.asked"\n\n');
  await until(() => last()?.report?.status === 'waiting');
});

test('a server that is not there, or refuses us, says nothing and harms nobody', async () => {
  await server.close();
  open();
  watch?.check();
  server = await FakeServer.open('Basic of-somebody-else');
  writeAddress();
  open();
  await until(() => server.refused > 1);
  expect(said).toEqual([]);
});

test('the last answer is found page by page, from the end', async () => {
  writeAddress();
  const message = (role: string, text?: string): object => ({
    info: { role },
    parts: text === undefined ? [{ type: 'tool' }] : [{ type: 'text', text }],
  });
  server.pages = [
    [message('assistant'), message('assistant')],
    [message('user', 'Please.'), message('assistant', 'It is 42.')],
  ];
  const answer = await readLastAnswer(context('ses_a'), AbortSignal.timeout(5000));
  expect(answer).toEqual({ kind: 'answer', text: 'It is 42.', isPartial: false });
  await server.close();
  expect(await readLastAnswer(context('ses_a'), AbortSignal.timeout(5000))).toBeUndefined();
  expect(await readLastAnswer(context(undefined), AbortSignal.timeout(5000))).toBeUndefined();
});

function open(): void {
  writeAddress();
  watch?.close();
  watch = watchState(context(undefined), (state) => said.push(state));
}

function writeAddress(): void {
  const address = { hostname: '127.0.0.1', port: server.port, password };
  writeFileSync(join(runFolder, 'server.json'), JSON.stringify(address));
}

function context(conversation: string | undefined) {
  const life = {
    agent: 'agt_1',
    pid: 1,
    cwd: '/srv/app',
    startedAt: 0,
    version: '1.18.33',
    env: {},
  };
  return { ...life, runFolder, conversation };
}

function turnEnds(): readonly unknown[] {
  return said.flatMap(({ turnEnd }) => turnEnd ?? []);
}

function last(): OwnState | undefined {
  return said.at(-1);
}

async function until(holds: () => boolean): Promise<void> {
  await waitFor(() => expect(holds()).toBe(true));
}

/** Speaks as OpenCode 1.18.33 does, as far as it is asked. */
class FakeServer {
  readonly answers = new Map<string, unknown>();
  pages: readonly (readonly unknown[])[] = [];
  /** Paths that are answered with an error. */
  readonly broken = new Set<string>();
  refused = 0;
  readonly port: number;
  readonly #server: Server;
  readonly #streams = new Set<ServerResponse>();

  private constructor(http: Server, port: number) {
    this.#server = http;
    this.port = port;
  }

  static async open(allowed = authorization): Promise<FakeServer> {
    const http = createServer();
    await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
    const fake = new FakeServer(http, (http.address() as AddressInfo).port);
    http.on('request', (request, response) => {
      if (request.headers.authorization !== allowed) {
        fake.refused++;
        response.writeHead(401).end();
      } else fake.#answer(request.url ?? '', response);
    });
    return fake;
  }

  send(event: object): void {
    this.sendRaw(`data: ${JSON.stringify({ id: 'evt_1', ...event })}\n\n`);
  }

  sendRaw(text: string): void {
    for (const stream of this.#streams) stream.write(text);
  }

  dropStreams(): void {
    for (const stream of this.#streams) stream.destroy();
    this.#streams.clear();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  #answer(url: string, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    if (pathname === '/event') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      this.#streams.add(response);
      response.write('data: {"id":"evt_0","type":"server.connected","properties":{}}\n\n');
      return;
    }
    if (this.broken.has(pathname)) return void response.writeHead(500).end();
    const page = Number(searchParams.get('before') ?? 0);
    const isPaged = pathname.endsWith('/message');
    const more = isPaged && page + 1 < this.pages.length;
    response.writeHead(200, more ? { 'x-next-cursor': String(page + 1) } : {});
    const body = isPaged
      ? (this.pages[page] ?? [])
      : (this.answers.get(pathname) ?? usual(pathname));
    response.end(JSON.stringify(body));
  }
}

function usual(pathname: string): unknown {
  return pathname === '/permission' || pathname === '/question' ? [] : {};
}
