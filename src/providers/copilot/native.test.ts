import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitFor } from '../../../test/support/wait-for.ts';
import type { AgentContext } from '../provider.ts';
import type { AttemptTrace, Evidence, NativeRoute } from '../way-in.ts';
import { openEvidence } from './evidence.ts';
import { linkFolder } from './extension.ts';
import { openNative } from './native.ts';

let folder: string;
let server: Server | undefined;
let sockets: Socket[];
let route: NativeRoute | undefined;
let evidence: Evidence | undefined;
let changes: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-copilot-'));
  mkdirSync(linkFolder(folder));
  sockets = [];
  changes = 0;
});
afterEach(async () => {
  route?.close();
  evidence?.close();
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

test('it is blocked until its extension listens, and again when it is gone', async () => {
  const native = open();
  expect(native.blocked()).toContain('not connected');
  expect(await native.inject(injection())).toMatchObject({ outcome: 'refused' });
  await listen('1', () => ({}));
  await waitFor(() => expect(native.blocked()).toBeUndefined());
  expect(changes).toBe(1);
  await stop();
  await waitFor(() => expect(native.blocked()).toContain('not connected'));
  // After /clear another one listens elsewhere.
  await listen('2', () => ({}));
  await waitFor(() => expect(native.blocked()).toBeUndefined());
});

test('rule 2: the ledger is asked immediately before the act, and its no is obeyed', async () => {
  const asked: unknown[] = [];
  await listen('1', (request) => {
    asked.push(request['do']);
    return { message: 'm1' };
  });
  const native = await connected();
  expect(await native.inject(injection({ begin: async () => false }))).toMatchObject({
    outcome: 'refused',
  });
  expect(asked).toEqual([]);
  expect(await native.inject(injection())).toEqual({ outcome: 'taken', receipt: 'm1' });
  expect(asked).toEqual(['send']);
});

test('rule 3: what may have been taken is unknown, never refused', async () => {
  await listen('1', (request) =>
    request['text'] === 'lost' ? undefined : { error: 'no session' },
  );
  const native = await connected();
  expect(await native.inject(injection())).toEqual({ outcome: 'unknown', reason: 'no session' });
  expect(await native.inject(injection({ text: 'lost' }))).toMatchObject({ outcome: 'unknown' });
});

test('rule 11: a message is absent only when the session is idle and knows nothing of it', async () => {
  const known = { pending: ['m1'], sent: ['m1', 'm2', 'm3'], begun: ['m2'] };
  const look = { ...known, idleMs: undefined as number | undefined };
  await listen('1', () => look);
  evidence = openEvidence(life());
  await waitFor(async () => expect(await found('m1')).toBe('held'));
  expect(await found('m2')).toBe('landed');
  expect(await found('m3')).toBe('none');
  look.idleMs = 500;
  expect(await found('m3')).toBe('none');
  look.idleMs = 2500;
  expect(await found('m3')).toBe('absent');
  expect(await found('m3', false)).toBe('unknown');
  // Another conversation has another extension, which was never given it (rules 41, 49).
  expect(await found('m4')).toBe('unknown');
  // Without an id of its own, or without an extension, nothing can be said.
  expect(await found(undefined)).toBe('none');
  await stop();
  expect(await found('m3')).toBe('none');
});

function life() {
  return { current: () => context(), changed: () => void changes++ };
}

function open(): NativeRoute {
  route = openNative(life());
  return route;
}

async function connected(): Promise<NativeRoute> {
  const native = open();
  await waitFor(() => expect(native.blocked()).toBeUndefined());
  return native;
}

function injection(wish: object = {}) {
  const signal = AbortSignal.timeout(20_000);
  return { mark: 'mark_1', at: 0, text: 'Hello.', begin: async () => true, signal, ...wish };
}

async function found(receipt: string | undefined, isAlive = true): Promise<string | undefined> {
  const base = { mark: 'mark_x', route: 'native', at: 0, isSubmitted: false, isAlive } as const;
  const attempt: AttemptTrace = {
    ...base,
    conversation: 'c1',
    ...(receipt === undefined ? {} : { receipt }),
  };
  return (await evidence?.judge([attempt]))?.[0]?.found;
}

/** An extension that answers as it is told; undefined: it goes away instead. */
async function listen(
  name: string,
  answer: (request: Record<string, unknown>) => object | undefined,
): Promise<void> {
  server = createServer((socket) => {
    sockets.push(socket);
    socket.write('{"session":"c1"}\n');
    socket.on('data', (chunk) => {
      const request = JSON.parse(chunk.toString()) as Record<string, unknown>;
      const reply = answer(request);
      if (reply) socket.write(`${JSON.stringify({ id: request['id'], ...reply })}\n`);
      else socket.destroy();
    });
  });
  await new Promise<void>((done) => server?.listen(join(linkFolder(folder), name), done));
}

async function stop(): Promise<void> {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  const old = server;
  server = undefined;
  if (old) await new Promise((done) => old.close(done));
}

function context(): AgentContext {
  return {
    agent: 'agt_1',
    pid: 1,
    cwd: '/srv/app',
    runFolder: folder,
    conversation: 'c1',
    startedAt: 0,
    version: '1.0.102',
    env: { HOME: folder },
  };
}
