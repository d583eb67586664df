import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AgentContext } from '../provider.ts';
import { cutLastAnswer, readLastAnswer } from './answer.ts';

const conversation = 'a1b2c3d4-1111-4222-8333-444455556666';
const signal = new AbortController().signal;
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'signalbox-gemini-'));
  write('.gemini/projects.json', JSON.stringify({ projects: { '/srv/app': 'app' } }));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test('the last text of the last turn is the answer, whole', async () => {
  transcript(
    prompt('u1', 'go'),
    say('g1', 'before'),
    tool('g1', 'before'),
    result('u2'),
    say('g2', 'after'),
  );
  expect(await read()).toEqual({ kind: 'answer', text: 'after', isPartial: false });
});

test('an answer of 1 MB is whole', async () => {
  const text = 'words and ünïcode '.repeat(60_000);
  transcript(prompt('u1', 'go'), say('g1', text));
  expect(await read()).toEqual({ kind: 'answer', text, isPartial: false });
});

test('a turn whose tools have run and that has not gone on is partial (B15)', async () => {
  transcript(prompt('u1', 'go'), say('g1', 'before'), tool('g1', 'before'), result('u2'));
  expect(await read()).toEqual({ kind: 'answer', text: 'before', isPartial: true });
});

test('a turn that has said nothing yet is passed over', async () => {
  transcript(prompt('u1', 'one'), say('g1', 'first'), prompt('u2', 'two'));
  const first = { kind: 'answer', text: 'first', isPartial: false, isEarlier: true };
  expect(await read()).toEqual(first);
});

test('a turn that failed is no response, although it was taken out of the history (B15)', async () => {
  const first = [prompt('u1', 'one'), say('g1', 'first')];
  transcript(
    ...first,
    prompt('u2', 'two'),
    history(...first),
    record('error', 'e1', '[API Error: 401]'),
  );
  expect(await read()).toEqual({ kind: 'no-response' });
});

test('a cancelled turn without a recorded word is left to the screen', async () => {
  const first = [prompt('u1', 'one'), say('g1', 'first')];
  transcript(
    ...first,
    prompt('u2', 'two'),
    record('info', 'i1', 'Request cancelled.'),
    history(...first),
  );
  expect(await read()).toBeUndefined();
});

test('a cancelled turn counts as the last one, although the history is written again after it', async () => {
  const again = [prompt('u8', 'one'), say('g8', 'first')];
  transcript(
    prompt('u1', 'one'),
    say('g1', 'first'),
    prompt('u2', 'two'),
    say('g2', 'before'),
    tool('g2', 'before'),
    record('info', 'i1', 'Request cancelled.'),
    ...again,
    history(...again),
  );
  expect(await read()).toEqual({ kind: 'answer', text: 'before', isPartial: false });
});

test('after a resume the answer comes out of the history that was taken over', async () => {
  const turn = [prompt('u1', 'one'), say('g1', 'first')];
  transcript(...turn, history(context()), history(context(), ...turn));
  expect(await read()).toEqual({ kind: 'answer', text: 'first', isPartial: false });
});

test('corrupt and oversized lines are passed over, and what stands beside them is partial (O5)', async () => {
  transcript(prompt('u1', 'go'), '{"id":"g0","type":"gem', say('g1', 'text'));
  expect(await read()).toEqual({ kind: 'answer', text: 'text', isPartial: true });
  transcript(prompt('u1', 'go'), 'x'.repeat(33 * 1024 * 1024), say('g1', 'text'));
  expect(await read()).toEqual({ kind: 'answer', text: 'text', isPartial: true });
});

test('without a conversation, a file or a turn there is no answer', async () => {
  expect(await read()).toBeUndefined();
  transcript(history(context()));
  expect(await read()).toBeUndefined();
  expect(await readLastAnswer({ ...agent(), conversation: undefined }, signal)).toBeUndefined();
  expect(await read('../../../etc/passwd')).toBeUndefined();
});

test('a small second file that a resume leaves behind does not hide the first', async () => {
  transcript(prompt('u1', 'one'), say('g1', 'first'));
  const stray = chat('2026-11-15T13-01', conversation, [history(context())]);
  utimesSync(stray, 4_000_000_000, 4_000_000_000);
  expect(await read()).toEqual({ kind: 'answer', text: 'first', isPartial: false });
});

test('after /clear the answer is the new conversation’s, which only what was typed leads to', async () => {
  transcript(prompt('u1', 'one'), say('g1', 'first'));
  const clearedAt = Date.now() + 10_000;
  chat(
    '2026-11-15T13-01',
    'c628ebcf-39d2-4c79-903f-eef21cbdb5cc',
    [prompt('u1', 'x'), say('g2', 'second')],
    clearedAt + 50,
  );
  // Another agent in the same folder, started later.
  chat(
    '2026-11-15T13-02',
    'd0000000-39d2-4c79-903f-eef21cbdb5cc',
    [prompt('u1', 'x'), say('g3', 'another’s')],
    clearedAt + 2000,
  );
  expect(await read()).toMatchObject({ text: 'first' });
  const entry = { sessionId: conversation, type: 'user', message: '/clear' };
  const logs = [{ ...entry, timestamp: new Date(clearedAt).toISOString() }];
  write('.gemini/tmp/app/logs.json', JSON.stringify(logs));
  expect(await read()).toMatchObject({ text: 'second' });
});

test('an answer in a file that has lost its first line is not lost (two in one folder)', async () => {
  const lines = [prompt('u1', 'one'), say('g1', 'first'), ''].join('\n');
  const name = `session-2026-11-15T12-46-${conversation.slice(0, 8)}.jsonl`;
  write(`.gemini/tmp/app/chats/${name}`, lines);
  expect(await read()).toEqual({ kind: 'answer', text: 'first', isPartial: false });
});

test('GEMINI_CLI_HOME moves the files, and an unknown spelling of the folder is searched for', async () => {
  transcript(prompt('u1', 'one'), say('g1', 'first'));
  const moved = { ...agent(), env: { HOME: '/nowhere', GEMINI_CLI_HOME: home }, cwd: '/srv/app/.' };
  expect(await readLastAnswer(moved, signal)).toMatchObject({ text: 'first' });
});

const bar = '▄'.repeat(40);
const composer = (draft: string): string =>
  [
    '? for shortcuts',
    '─'.repeat(40),
    ' Shift+Tab to accept edits',
    bar,
    ` > ${draft}`,
    '▀'.repeat(40),
    ' workspace',
    ' /srv/app',
  ].join('\n');

test('on the screen the answer is the last ✦ block after the last prompt, not a draft (B15)', () => {
  const screen = [
    ' > one',
    '✦ first',
    bar,
    ' > two',
    '▀'.repeat(40),
    '✦ a',
    '',
    '  b',
    '',
    composer('my draft'),
  ];
  expect(cutLastAnswer(screen.join('\n'))).toEqual({
    kind: 'answer',
    text: 'a\n\nb',
    isPartial: false,
  });
});

test('on the screen tools, errors and notes are no answers', () => {
  const frame = ['╭────────────╮', '│ ✓  Shell x │', '╰────────────╯'];
  const failed = [' > two', '✦ before', ...frame, '✕ [API Error: 401]', '', composer('')];
  expect(cutLastAnswer(failed.join('\n'))).toMatchObject({ text: 'before' });
  const silent = ['✦ first', ' > two', ...frame, 'ℹ Request cancelled.', composer('')];
  expect(cutLastAnswer(silent.join('\n'))).toEqual({ kind: 'no-response' });
});

test('on the screen an answer without its prompt, or still being written, is partial (B15)', () => {
  expect(cutLastAnswer(['✦ end of it', composer('')].join('\n'))).toMatchObject({
    isPartial: true,
  });
  const busy = [' > two', '✦ begun', ' ⠋ Thinking... (esc to cancel, 3s)', composer('')].join('\n');
  expect(cutLastAnswer(busy)).toEqual({ kind: 'answer', text: 'begun', isPartial: true });
  expect(cutLastAnswer(composer(''))).toBeUndefined();
  const tail = ['  the rest of', '', '  a long answer', '', composer('')].join('\n');
  expect(cutLastAnswer(tail)).toEqual({
    kind: 'answer',
    text: 'the rest of\n\na long answer',
    isPartial: true,
  });
});

function read(id = conversation): ReturnType<typeof readLastAnswer> {
  return readLastAnswer({ ...agent(), conversation: id }, signal);
}

function agent(): AgentContext {
  const env = { HOME: home };
  const rest = { agent: 'agt_1', pid: 1, runFolder: '/run', startedAt: 0, version: '0.61.0' };
  return { ...rest, conversation, cwd: '/srv/app', env };
}

function transcript(...lines: readonly string[]): void {
  chat('2026-11-15T12-46', conversation, lines);
}

function chat(minute: string, id: string, lines: readonly string[], startedAt = 0): string {
  const startTime = new Date(startedAt).toISOString();
  const header = JSON.stringify({ sessionId: id, startTime, kind: 'main' });
  const name = `session-${minute}-${id.slice(0, 8)}.jsonl`;
  return write(`.gemini/tmp/app/chats/${name}`, `${[header, ...lines].join('\n')}\n`);
}

function write(path: string, text: string): string {
  const full = join(home, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  return full;
}

function record(type: string, id: string, content: unknown, more: object = {}): string {
  return JSON.stringify({ id, timestamp: '2026-11-15T12:46:40.859Z', type, content, ...more });
}

function prompt(id: string, text: string): string {
  return record('user', id, [{ text }]);
}

function context(): string {
  return prompt('u0', '<session_context>\nThis is the Gemini CLI.\n</session_context>');
}

function say(id: string, text: string): string {
  return record('gemini', id, text, { thoughts: [] });
}

function tool(id: string, text: string): string {
  return record('gemini', id, text, { toolCalls: [{ id: 't1', name: 'run_shell_command' }] });
}

function result(id: string): string {
  return record('user', id, [{ functionResponse: { id: 't1', response: { output: 'x' } } }]);
}

function history(...lines: readonly string[]): string {
  return JSON.stringify({ $set: { messages: lines.map((line) => JSON.parse(line)) } });
}
