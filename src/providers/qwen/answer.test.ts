import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AgentContext } from '../provider.ts';
import { cutLastAnswer, readLastAnswer } from './answer.ts';

const conversation = 'a1b2c3d4-1111-4222-8333-444455556666';
const signal = new AbortController().signal;
const system = record('system', {
  subtype: 'attribution_snapshot',
  systemPayload: { snapshot: {} },
});
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'signalbox-qwen-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test('the last text of the last turn is the answer, whole', async () => {
  transcript(prompt('go'), system, call('before'), result('success'), say('after'), system);
  expect(await read()).toEqual({ kind: 'answer', text: 'after', isPartial: false });
});

test('an answer of 1 MB is whole, and thoughts are no part of it', async () => {
  const text = 'words and ünïcode '.repeat(60_000);
  const parts = [{ text: 'hm', thought: true }, { text }];
  transcript(prompt('go'), record('assistant', { message: { parts } }));
  expect(await read()).toEqual({ kind: 'answer', text, isPartial: false });
});

test('a turn whose tool runs is partial; one whose tool was refused has ended (B15)', async () => {
  transcript(prompt('go'), call('before'));
  expect(await read()).toEqual({ kind: 'answer', text: 'before', isPartial: true });
  transcript(prompt('go'), call('before'), result('cancelled'));
  expect(await read()).toEqual({ kind: 'answer', text: 'before', isPartial: false });
  transcript(prompt('go'), call(''), result('cancelled'));
  expect(await read()).toEqual({ kind: 'no-response' });
});

test('an answer that is written a moment after the turn looked over is waited for', async () => {
  transcript(prompt('go'), call('before'), result('success'));
  const answer = read();
  setTimeout(() => appendFileSync(transcriptPath(), `${say('after')}\n`), 150);
  expect(await answer).toEqual({ kind: 'answer', text: 'after', isPartial: false });
});

test('a turn that failed is no response; a try that was repeated is not its end (B15)', async () => {
  transcript(prompt('one'), say('first'), prompt('two'), apiError());
  expect(await read()).toEqual({ kind: 'no-response' });
  transcript(prompt('one'), apiError(), say('first'));
  expect(await read()).toEqual({ kind: 'answer', text: 'first', isPartial: false });
});

test('a turn that has said nothing, or was taken back, is passed over', async () => {
  transcript(prompt('one'), say('first'), prompt('two'), system);
  const first = { kind: 'answer', text: 'first', isPartial: false, isEarlier: true };
  expect(await read()).toEqual(first);
});

test('the words before a turn that was interrupted without any are told as earlier ones (recorded)', async () => {
  const file = new URL('./recordings/interrupted.jsonl', import.meta.url);
  const [, ...records] = readFileSync(file, 'utf8').split('\n');
  // The file shows the conversation several times, as it grew: here the interruption is its end.
  transcript(
    ...records.slice(
      0,
      records.findIndex((line) => line.startsWith('{"case":')),
    ),
  );
  const base = { kind: 'answer', text: 'base', isPartial: false, isEarlier: true };
  expect(await read()).toEqual(base);
});

test('corrupt and oversized lines are passed over, and what stands beside them is partial (O5)', async () => {
  transcript(prompt('go'), '{"type":"assis', say('text'));
  expect(await read()).toEqual({ kind: 'answer', text: 'text', isPartial: true });
  transcript(prompt('go'), 'x'.repeat(33 * 1024 * 1024), say('text'));
  expect(await read()).toEqual({ kind: 'answer', text: 'text', isPartial: true });
});

test('without a conversation or a file there is no answer', async () => {
  expect(await read()).toBeUndefined();
  expect(await readLastAnswer({ ...agent(), conversation: undefined }, signal)).toBeUndefined();
  const strange = { ...agent(), conversation: '../../x' };
  expect(await readLastAnswer(strange, signal)).toBeUndefined();
});

test.each(['QWEN_HOME', 'QWEN_RUNTIME_DIR'])('%s moves the files', async (name) => {
  transcript(prompt('go'), say('text'));
  const moved = { ...agent(), env: { HOME: '/nowhere', [name]: join(home, '.qwen') } };
  expect(await readLastAnswer(moved, signal)).toMatchObject({ text: 'text' });
});

const rule = '─'.repeat(40);
const composer = (draft: string): string => [rule, `> ${draft}`, rule, '  ➜ work'].join('\n');

test('on the screen the answer is the last ◆ block after the last prompt, not a draft (B15)', () => {
  const screen = [
    '  > one',
    '  ◆︎ first',
    '  > two',
    '  ✓ Shell x',
    '',
    `${'  ◆︎ a'.padEnd(41)}█`,
    `${''.padEnd(40)}│`,
    `${'    b │'.padEnd(40)}│`,
    '',
  ];
  expect(cutLastAnswer([...screen, composer('my draft')].join('\n'))).toEqual({
    kind: 'answer',
    text: 'a\n\nb │',
    isPartial: false,
  });
});

test('on the screen tools, errors and notes are no answers', () => {
  const failed = ['  ◆︎ first', '  > two', '  - Shell touch a.txt', '  ●︎ Request cancelled.'];
  expect(cutLastAnswer([...failed, composer('')].join('\n'))).toEqual({ kind: 'no-response' });
  const refused = ['  > two', '  ✕ [API Error: 401]', composer('')];
  expect(cutLastAnswer(refused.join('\n'))).toEqual({ kind: 'no-response' });
});

test('on the screen a model’s words that look like the program’s are the answer', () => {
  const words = '⠏ Loading wit.exe... (12s · esc to cancel)';
  const screen = ['  > two', `  ◆︎ ${words}`, '', `    ${words}`, '', composer('')].join('\n');
  expect(cutLastAnswer(screen)).toMatchObject({ text: `${words}\n\n${words}`, isPartial: false });
});

test('on the screen a tool that runs is no answer', () => {
  const spinner = '  .. Loading wit.exe... (1s · esc to cancel)';
  const screen = ['  > two', '  ..Shell touch a.txt', '', spinner, composer('')].join('\n');
  expect(cutLastAnswer(screen)).toEqual({ kind: 'no-response' });
});

test('on the screen an answer without its prompt, or still being written, is partial (B15)', () => {
  const cut = ['  ◆︎ end of it', composer('')].join('\n');
  expect(cutLastAnswer(cut)).toMatchObject({ text: 'end of it', isPartial: true });
  const busy = [
    '  > two',
    '  ◆︎ begun',
    '  .. Loading wit.exe... (1s · esc to cancel)',
    composer(''),
  ];
  expect(cutLastAnswer(busy.join('\n'))).toEqual({
    kind: 'answer',
    text: 'begun',
    isPartial: true,
  });
  expect(cutLastAnswer(composer(''))).toBeUndefined();
  const tail = ['    the rest of', '', '    a long answer', '', composer('')].join('\n');
  expect(cutLastAnswer(tail)).toEqual({
    kind: 'answer',
    text: 'the rest of\n\na long answer',
    isPartial: true,
  });
});

function read(): ReturnType<typeof readLastAnswer> {
  return readLastAnswer(agent(), signal);
}

function agent(): AgentContext {
  const rest = { agent: 'agt_1', pid: 1, runFolder: '/run', startedAt: 0, version: '0.24.4' };
  return { ...rest, conversation, cwd: '/srv/app', env: { HOME: home } };
}

function transcript(...lines: readonly string[]): void {
  const folder = join(home, '.qwen/projects/-srv-app/chats');
  mkdirSync(folder, { recursive: true });
  writeFileSync(transcriptPath(), `${lines.join('\n')}\n`);
}

function transcriptPath(): string {
  return join(home, '.qwen/projects/-srv-app/chats', `${conversation}.jsonl`);
}

function record(type: string, fields: object): string {
  return JSON.stringify({ uuid: 'u', parentUuid: null, sessionId: conversation, type, ...fields });
}

function prompt(text: string): string {
  return record('user', { provenance: 'real_user', message: { role: 'user', parts: [{ text }] } });
}

function say(text: string): string {
  return record('assistant', { message: { role: 'model', parts: [{ text }] } });
}

function call(text: string): string {
  const parts = [...(text === '' ? [] : [{ text }]), { functionCall: { id: 'call_1' } }];
  return record('assistant', { message: { role: 'model', parts } });
}

function result(status: string): string {
  const parts = [{ functionResponse: { id: 'call_1', response: { output: 'x' } } }];
  return record('tool_result', { message: { role: 'user', parts }, toolCallResult: { status } });
}

function apiError(): string {
  const uiEvent = { 'event.name': 'qwen-code.api_error', status_code: 401 };
  return record('system', { subtype: 'ui_telemetry', systemPayload: { uiEvent } });
}
