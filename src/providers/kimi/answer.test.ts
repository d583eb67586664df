import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cutLastAnswer, readLastAnswer } from './answer.ts';

const conversation = 'session_1c86f9ad-ba45-476b-b43e-5579a230deb7';
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'signalbox-kimi-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Lines as Kimi Code 2.1.0 wrote them, shortened. */
const prompt = JSON.stringify({
  type: 'turn.prompt',
  agentId: 'main',
  input: [{ type: 'text', text: 'Please.' }],
  turnId: 0,
});
const event = (body: object): string =>
  JSON.stringify({ type: 'context.append_loop_event', agentId: 'main', event: body });
const begin = (step: string): string => event({ type: 'step.begin', uuid: step, turnId: '0' });
const part = (stepUuid: string, content: object): string =>
  event({ type: 'content.part', uuid: '405143e2', stepUuid, part: content });
const say = (step: string, text: string): string => part(step, { type: 'text', text });
const call = (stepUuid: string): string =>
  event({ type: 'tool.call', uuid: 'c1', stepUuid, name: 'Bash', args: {} });
const end = (step: string): string =>
  event({ type: 'step.end', uuid: step, finishReason: 'end_turn' });
const ended = JSON.stringify({
  type: 'turn.ended',
  agentId: 'main',
  turnId: 0,
  reason: 'completed',
});
const answer = (text: string, isPartial = false) => ({ kind: 'answer', text, isPartial });
const earlier = (text: string) => ({ ...answer(text), isEarlier: true });

async function last(...lines: readonly string[]) {
  write(...lines);
  return await read(conversation);
}

function write(...lines: readonly string[]): void {
  const folder = join(home, 'sessions', 'wd_work_47cf797a904c', conversation, 'agents', 'main');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'wire.jsonl'), `${lines.join('\n')}\n`);
}

async function read(id: string | undefined) {
  const life = { agent: 'agt_1', pid: 1, cwd: '/srv/app', runFolder: '/run', startedAt: 0 };
  const env = { KIMI_CODE_HOME: home };
  const context = { ...life, version: '2.1.0', env, conversation: id };
  return await readLastAnswer(context, AbortSignal.timeout(20_000));
}

test('the answer is the text of the last step that said something', async () => {
  const first = [prompt, begin('a'), say('a', 'First.'), end('a'), ended];
  expect(await last(...first)).toEqual(answer('First.'));
  const tools = [prompt, begin('b'), say('b', 'I look.'), call('b'), end('b')];
  const whole = [...first, ...tools, begin('c'), say('c', 'It is '), say('c', 'there.'), end('c')];
  expect(await last(...whole, ended)).toEqual(answer('It is there.'));
});

test('while a turn goes on its words are partial, and without any the answer before it still is the last', async () => {
  const first = [prompt, begin('a'), say('a', 'First.'), end('a'), ended, prompt];
  expect(await last(...first)).toEqual(earlier('First.'));
  expect(await last(...first, begin('b'), call('b'))).toEqual(earlier('First.'));
  const said = [begin('b'), say('b', 'I look.'), call('b')];
  expect(await last(...first, ...said)).toEqual(answer('I look.', true));
});

test.each([
  ['first', []],
  ['second', [prompt, begin('a'), say('a', 'First.'), end('a'), ended]],
])(
  'the %s answer is waited for if it is written a moment after the end was told',
  async (_, before) => {
    const open = [...before, prompt];
    const found = last(...open);
    setTimeout(() => write(...open, begin('b'), say('b', 'Words.'), end('b'), ended), 150);
    expect(await found).toEqual(answer('Words.'));
  },
);

test('a turn that ended without text is no response (B15)', async () => {
  const first = [prompt, begin('a'), say('a', 'First.'), end('a'), ended];
  expect(await last(...first, prompt, begin('b'), ended)).toEqual({ kind: 'no-response' });
  const thought = part('b', { type: 'think', think: 'Hm.' });
  expect(await last(prompt, begin('b'), thought, ended)).toEqual({ kind: 'no-response' });
});

test('lines that cannot be read make it partial, and long ones do not stop it (O5)', async () => {
  const broken = '{"type":"context.append_loop_event","event":{"type":"content.part';
  const first = [prompt, begin('a'), say('a', 'First.'), end('a')];
  expect(await last(...first, broken, ended)).toEqual(answer('First.', true));
  const big = 'x'.repeat(1024 * 1024);
  const tools = JSON.stringify({ type: 'llm.tools_snapshot', tools: 'y'.repeat(17 * 1024 * 1024) });
  expect(await last(prompt, begin('a'), say('a', big), tools, end('a'), ended)).toEqual(
    answer(big),
  );
});

test('without a conversation, or with one that has no file, there is no answer', async () => {
  expect(await read(undefined)).toBeUndefined();
  expect(await read('session_other')).toBeUndefined();
  expect(await read('../../etc')).toBeUndefined();
});

test('without the file the answer is cut out of the terminal', () => {
  const screen = `
 ✨ Please look.

 ● Ran a command · $ touch asked.txt
   Command executed successfully.

   Approved: Running: touch asked.txt

 ● It is there:

     one

 ╭──────────────────────────────────────────────────────────────╮
 │ >                                                            │
 ╰──────────────────────────────────────────────────────────────╯
 mock-model  /srv/app
`;
  expect(cutLastAnswer(screen)).toEqual(answer('It is there:\n\n  one'));
  const failed = screen.replace(/ ● Ran[\s\S]* one\n/, '   Error: [provider.auth_error] 401\n');
  expect(cutLastAnswer(failed)).toEqual({ kind: 'no-response' });
});
