import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cutLastAnswer, readLastAnswer } from './answer.ts';

const conversation = '5b1f8f3e-3a0a-4b0b-9c0e-111111111111';
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'signalbox-copilot-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Lines as Copilot CLI 1.0.102 wrote them, shortened. */
const line = (type: string, data: object, more: object = {}): string =>
  JSON.stringify({ type, data, id: 'd0e7bf88', timestamp: '2026-11-15T13:02:47.803Z', ...more });
const prompt = line('user.message', { content: 'Please.', interactionId: 'bb62' });
const said = (content: string, toolRequests: readonly object[] = [], more: object = {}): string =>
  line('assistant.message', { content, toolRequests, interactionId: 'bb62' }, more);
const call = { toolCallId: 'call_1', name: 'bash', arguments: { command: 'touch a' } };
const turnEnd = line('assistant.turn_end', { turnId: '0' });
const hook = line('hook.start', { hookType: 'agentStop', input: { stopReason: 'end_turn' } });
const aborted = line('abort', { reason: 'user_initiated' });
const failed = line('session.error', { errorType: 'authentication', statusCode: 401 });
const answer = (text: string, isPartial = false) => ({ kind: 'answer', text, isPartial });
const earlier = (text: string) => ({ ...answer(text), isEarlier: true });

async function last(...lines: readonly string[]) {
  const folder = join(home, '.copilot', 'session-state', conversation);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'events.jsonl'), `${lines.join('\n')}\n`);
  return await read();
}

async function read(env: Record<string, string> = { HOME: home }) {
  const life = { agent: 'agt_1', pid: 1, cwd: '/srv/app', runFolder: '/run', startedAt: 0 };
  const context = { ...life, version: '1.0.102', env, conversation };
  return await readLastAnswer(context, AbortSignal.timeout(20_000));
}

test('the answer is what was said last in the last turn', async () => {
  expect(await last(prompt, said('First.'), turnEnd, hook)).toEqual(answer('First.'));
  const tools = [prompt, said('I look.', [call]), line('tool.execution_start', {}), turnEnd];
  expect(await last(...tools, said('It is there.'), turnEnd, hook)).toEqual(answer('It is there.'));
});

test('while a turn goes on its words are partial, and without any the answer before it still is the last', async () => {
  const before = [prompt, said('First.'), turnEnd, hook, prompt];
  expect(await last(...before)).toEqual(earlier('First.'));
  expect(await last(...before, said('', [call]))).toEqual(earlier('First.'));
  expect(await last(...before, said('I look.', [call]))).toEqual(answer('I look.', true));
});

test('a failed turn is no response; one that was broken off is left to the screen, which alone has its words', async () => {
  const before = [prompt, said('First.'), turnEnd, hook, prompt];
  expect(await last(...before, turnEnd, failed)).toEqual({ kind: 'no-response' });
  expect(await last(...before, said(''), turnEnd)).toEqual({ kind: 'no-response' });
  expect(await last(...before, turnEnd, aborted)).toBeUndefined();
  expect(await last(...before, said('I look.', [call]), aborted)).toEqual(answer('I look.'));
});

test('rule 38: what a sub-agent says stands in the same file and is not the answer', async () => {
  const child = said('From below.', [], { agentId: 'a81ba3b6' });
  expect(await last(prompt, said('Above.'), child)).toEqual(answer('Above.'));
});

test('lines that cannot be read make it partial, and a long one does not stop it (O5)', async () => {
  const broken = '{"type":"assistant.message","data":{"content":"lost';
  expect(await last(prompt, said('First.'), broken, turnEnd)).toEqual(answer('First.', true));
  const big = said('x'.repeat(1024 * 1024));
  const tool = line('tool.execution_complete', { result: 'y'.repeat(17 * 1024 * 1024) });
  const found = await last(prompt, big, tool, turnEnd, hook);
  expect(found).toEqual(answer('x'.repeat(1024 * 1024)));
});

test('a conversation without a file has no answer yet, and a strange name is not followed', async () => {
  expect(await read()).toBeUndefined();
  expect(await read({ COPILOT_HOME: join(home, 'elsewhere') })).toBeUndefined();
});

test('without the file the answer is cut out of the screen', () => {
  const screen = `
 ❯ Please look.                                                            13:02 ┃
                                                                                 ┃
 $ Shell lab command                                                             ┃
   touch asked.txt                                                               ┃
                                                                                 ┃
 ● It is there:                                                                  ┃
   one                                                                           ┃
                                                                                 ┃
 /srv/app
────────────────────────────────────────────────────────────────────────
❯
────────────────────────────────────────────────────────────────────────
 Interactive · Manual Approval · / commands · ? help
`;
  expect(cutLastAnswer(screen)).toEqual(answer('It is there:\none'));
  const tail = screen.slice(screen.indexOf(' ● It'));
  expect(cutLastAnswer(tail)).toEqual(answer('It is there:\none', true));
});
