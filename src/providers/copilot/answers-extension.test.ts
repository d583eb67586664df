import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FakeCopilot } from '../../../test/fakes/copilot-extension.ts';
import { contextIn } from '../../../test/support/codex-life.ts';
import { tempHome } from '../../../test/support/home.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import type { Json } from '../../shared/json.ts';
import type { Decided, Decision, QuestionChannel } from '../questions.ts';
import {
  answersExtensionFile,
  answersExtensionSource,
  answersFolder,
} from './answers-extension.ts';
import { openQuestions } from './questions.ts';

/**
 * The extension itself, as a program, beside an SDK that only hands on: what it calls comes here,
 * and what is sent from here it hears as an event.
 */
const sdk = `
let count = 0;
const calls = new Map();
const listeners = [];
process.on('message', ({ call, value, error, event }) => {
  if (event) return listeners.forEach((each) => each(event));
  const { done, fail } = calls.get(call);
  if (error === undefined) done(value);
  else fail(new Error(error));
});
const ask = (what, params) => new Promise((done, fail) => {
  calls.set(++count, { done, fail });
  process.send({ call: count, what, params });
});
export async function joinSession({ onPermissionRequest }) {
  process.send({ joined: await onPermissionRequest() });
  const permissions = {
    pendingRequests: () => ask('pendingRequests'),
    handlePendingPermissionRequest: (params) => ask('handle', params),
  };
  return {
    sessionId: 'c1',
    on: (each) => listeners.push(each),
    rpc: { permissions },
    connection: { sendRequest: () => ask('front') },
  };
}
`;

const request = { kind: 'commands', fullCommandText: 'ls', intention: 'Lists' };

test('rule 23: its handler decides nothing, so that the dialog stays with the person', async () => {
  const { copilot } = await enter();
  expect(copilot.joined).toEqual({ kind: 'no-result' });
});

test('what is asked is told, also what was asked before it was there, until Copilot says that it ended', async () => {
  const { copilot, channel } = await enter({ pending: [{ requestId: 'a', request }] });
  await waitUntil('the first', () => channel.open[0]?.key === 'a');
  copilot.tell('permission.requested', { requestId: 'b', promptRequest: request }, 'sub');
  copilot.tell('permission.requested', {
    ...{ requestId: 'x', promptRequest: request, resolvedByHook: true },
  });
  await waitUntil('the second', () => channel.open.length === 2);
  expect(channel.open.map(({ key, isSubAgents }) => [key, isSubAgents])).toEqual([
    ['a', undefined],
    ['b', true],
  ]);
  copilot.tell('permission.completed', { requestId: 'a', result: { kind: 'approved' } });
  await waitUntil('its end', () => channel.open.length === 1);
  // Withdrawn without a word.
  copilot.pending = [];
  copilot.tell('session.idle', {});
  await waitUntil('both ends', () => channel.open.length === 0);
});

test.each([
  ['allow', 'approve-once', 'approved'],
  ['deny', 'reject', 'denied-interactively-by-user'],
] as const)(
  'rule 23: to %s is one call about exactly that request, for this once, and Copilot’s event confirms it',
  async (decision, kind, ended) => {
    const { copilot, channel } = await enter({ pending: [{ requestId: 'a', request }] });
    await waitUntil('the question', () => channel.open.length === 1);
    copilot.onHandle = () => {
      copilot.tell('permission.completed', { requestId: 'a', result: { kind: ended } });
      return { value: { success: true } };
    };
    expect(await decide(channel, 'a', decision)).toEqual({ outcome: 'taken' });
    expect(copilot.handled).toEqual([{ requestId: 'a', result: { kind } }]);
    expect(await decide(channel, 'a', decision)).toEqual({ outcome: 'gone' });
    expect(copilot.handled).toHaveLength(1);
  },
);

test('rule 23: what Copilot does not take was answered elsewhere', async () => {
  const { copilot, channel } = await enter({ pending: [{ requestId: 'a', request }] });
  await waitUntil('the question', () => channel.open.length === 1);
  copilot.onHandle = () => ({ value: { success: false } });
  expect(await decide(channel, 'a', 'allow')).toEqual({ outcome: 'gone' });
});

test('rule 41: after an error Copilot is asked what is still open', async () => {
  const { copilot, channel } = await enter({ pending: [{ requestId: 'a', request }] });
  await waitUntil('the question', () => channel.open.length === 1);
  copilot.onHandle = () => ({ error: 'not approved' });
  expect(await decide(channel, 'a', 'allow')).toMatchObject({ outcome: 'refused' });
  copilot.isMute = true;
  expect(await decide(channel, 'a', 'allow')).toMatchObject({ outcome: 'unknown' });
  expect(channel.open).toHaveLength(1);
  copilot.isMute = false;
  copilot.pending = [];
  expect(await decide(channel, 'a', 'allow')).toMatchObject({ outcome: 'unknown' });
  await waitUntil('its end', () => channel.open.length === 0);
});

test('rule 53: one that the system holds up before it listens is found all the same, beside that of a conversation that was left', async () => {
  const runFolder = tempHome();
  const older = new FakeCopilot(answersFolder(runFolder), 'c0');
  onTestFinished(() => older.stop());
  await older.listen();
  const channel = await open(runFolder);
  older.front = 'c1';
  begin(runFolder, { pending: [{ requestId: 'a', request }], isHeldUp: true });
  await waitUntil('the question', () => channel.open[0]?.key === 'a');
});

/** Copilot, as the SDK speaks to it. */
class FakeSession {
  pending: readonly object[];
  joined: unknown;
  /** It does not say what is open. */
  isMute = false;
  readonly handled: unknown[] = [];
  onHandle = (): object => ({ value: { success: true } });
  readonly #program: ChildProcess;

  constructor(program: ChildProcess, pending: readonly object[]) {
    this.#program = program;
    this.pending = pending;
    program.on('message', (message: Json) => this.#take(message));
  }

  tell(type: string, data: object, agentId?: string): void {
    this.#program.send({ event: { type, data, ...(agentId ? { agentId } : {}) } });
  }

  #take({ call, what, params, joined }: Json): void {
    if (joined !== undefined) this.joined = joined;
    // It may have ended since it asked.
    else this.#program.send({ call, ...this.#answer(what, params) }, () => undefined);
  }

  #answer(what: unknown, params: unknown): object {
    if (what === 'front') return { value: { sessionId: 'c1' } };
    if (what === 'pendingRequests') {
      return this.isMute ? { error: 'busy' } : { value: { items: this.pending } };
    }
    this.handled.push(params);
    return this.onHandle();
  }
}

/** Its socket has a name, and nobody listens there yet. */
const holdUp = `
const { Pipe } = process.binding('pipe_wrap');
const { listen } = Pipe.prototype;
Pipe.prototype.listen = function (...all) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
  return listen.apply(this, all);
};
`;

interface Begun {
  readonly pending?: readonly object[];
  readonly isHeldUp?: boolean;
}

async function enter(begun: Begun = {}) {
  const runFolder = tempHome();
  const copilot = begin(runFolder, begun);
  await waitUntil('its socket', () => isThere(answersFolder(runFolder)));
  return { copilot, channel: await open(runFolder) };
}

function begin(runFolder: string, { pending = [], isHeldUp = false }: Begun): FakeSession {
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(runFolder, path)), { recursive: true });
    writeFileSync(join(runFolder, path), text);
  };
  write(answersExtensionFile, answersExtensionSource);
  const exported = { name: 'sdk', type: 'module', exports: { './extension': './extension.js' } };
  write('node_modules/@github/copilot-sdk/package.json', JSON.stringify(exported));
  write('node_modules/@github/copilot-sdk/extension.js', sdk);
  write('hold-up.mjs', holdUp);
  const execArgv = isHeldUp ? ['--import', join(runFolder, 'hold-up.mjs')] : [];
  const program = fork(join(runFolder, answersExtensionFile), { execArgv });
  onTestFinished(() => void program.kill('SIGKILL'));
  return new FakeSession(program, pending);
}

async function open(runFolder: string): Promise<QuestionChannel> {
  const context = { ...contextIn(runFolder, '1.0.102'), runFolder };
  const channel = openQuestions({ current: () => context, changed: () => undefined });
  if (!channel) throw new Error('It has no channel.');
  onTestFinished(() => channel.close());
  await waitUntil('its eyes', () => !channel.isBlind);
  return channel;
}

function isThere(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => !name.startsWith('.'));
  } catch {
    // It makes its folder itself.
    return false;
  }
}

function decide(channel: QuestionChannel, key: string, decision: Decision): Promise<Decided> {
  return channel.decide(key, decision, AbortSignal.timeout(60_000));
}
