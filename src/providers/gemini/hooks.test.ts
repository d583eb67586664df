import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { readHook, readOffer } from './hooks.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-gemini-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const prompt = { id: 'u1', type: 'user', content: [{ text: 'go' }] };
const answer = { id: 'g1', type: 'gemini', content: 'Yes.', model: 'gemini-3' };
const cancelled = { id: 'i1', type: 'info', content: 'Request cancelled.' };
const failed = { id: 'e1', type: 'error', content: '[API Error: 401]' };
const history = { $set: { messages: [] } };

const base = {
  session_id: 'c628ebcf-39d2-4c79-903f-eef21cbdb5cc',
  transcript_path: '/home/x/.gemini/tmp/app/chats/session-2026-11-15T12-46-c628ebcf.jsonl',
  cwd: '/srv/app',
  timestamp: '2026-11-15T12:46:54.430Z',
};

test.each([
  ['BeforeAgent', { prompt: 'x' }, { status: 'processing' }],
  ['AfterAgent', { prompt_response: 'hello ', stop_hook_active: false }, { status: 'completed' }],
  // After a 401 too; whether it failed is the screen's to say.
  ['AfterAgent', { prompt_response: '[no response text]' }, { status: 'idle' }],
  [
    'Notification',
    { notification_type: 'ToolPermission' },
    { status: 'waiting', detail: 'permission' },
  ],
])('%s %j means %j', (event, body, report) => {
  expect(readHook({ event, body: { ...base, ...body } })).toMatchObject({
    report,
    conversation: base.session_id,
    transcriptPath: base.transcript_path,
  });
});

test('rule 26: a turn ends with AfterAgent, under the time of that call', () => {
  const end = (file: readonly object[], prompt_response: string) => {
    const transcript_path = write(file);
    const body = { ...base, transcript_path, prompt_response };
    const first = readHook({ event: 'AfterAgent', body })?.turnEnd;
    expect(readHook({ event: 'AfterAgent', body })?.turnEnd).toEqual(first);
    expect(first).toMatchObject({ session: base.session_id, id: base.timestamp });
    return first?.outcome;
  };
  expect(end([prompt, answer], 'Yes.')).toBe('completed');
  // It fires with what was said before a person broke it off, as if that were an answer.
  expect(end([answer, prompt, cancelled, history], 'Half.')).toBe('interrupted');
  expect(end([answer, prompt, history], 'Half.')).toBe('interrupted');
  expect(end([answer, prompt, history, failed], '[no response text]')).toBe('failed');
  expect(end([answer, prompt, history], '[no response text]')).toBe('failed');
  // A later step of the same turn failed.
  expect(end([prompt, answer, prompt, history, failed], 'First.')).toBe('failed');
  expect(readHook({ event: 'BeforeAgent', body: base })?.turnEnd).toBeUndefined();
  // Without a file its words decide.
  const body = { ...base, transcript_path: '/nowhere', prompt_response: 'Yes.' };
  expect(readHook({ event: 'AfterAgent', body })?.turnEnd?.outcome).toBe('completed');
});

test('rule 23: a hook that names a pipe holds up nobody, and is told nothing', () => {
  const transcript_path = join(folder, 'pipe');
  execFileSync('mkfifo', [transcript_path]);
  // What hangs all the same comes to an end with this.
  const rescue = spawn('sh', ['-c', `sleep 5; exec : > '${transcript_path}'`]);
  onTestFinished(() => void rescue.kill('SIGKILL'));
  const body = { ...base, transcript_path, prompt_response: 'Yes.' };
  expect(readHook({ event: 'AfterAgent', body })?.turnEnd?.outcome).toBe('completed');
  expect(readOffer({ event: 'AfterAgent', body })).toBeUndefined();
});

test('at the end of a turn that went well it can be told something, and at no other time (rule 9)', () => {
  const offer = (file: readonly object[], more: object = {}) =>
    readOffer({
      event: 'AfterAgent',
      body: { ...base, transcript_path: write(file), prompt_response: 'Yes.', ...more },
    });
  const offered = offer([prompt, answer], { stop_hook_active: false });
  expect(offered).toMatchObject({ route: 'turn-boundary', isContinued: false });
  const reply = offered?.reply('Hello.');
  expect(JSON.parse(reply?.stdout ?? '')).toEqual({ decision: 'block', reason: 'Hello.' });
  expect(reply?.exitCode).toBe(0);
  // Unsaid counts as true (rule 19).
  expect(offer([prompt, answer])?.isContinued).toBe(true);
  expect(offer([prompt, cancelled, history])).toBeUndefined();
  expect(offer([prompt, history, failed])).toBeUndefined();
  expect(readOffer({ event: 'AfterTool', body: base })).toBeUndefined();
});

test('rule 41: over a file that cannot be read nothing is said, and the end of the turn is told all the same', () => {
  const transcript_path = join(folder, 'loop.jsonl');
  symlinkSync(transcript_path, transcript_path);
  const hook = {
    event: 'AfterAgent',
    body: { ...base, transcript_path, prompt_response: 'Yes.', stop_hook_active: false },
  };
  expect(readOffer(hook)).toBeUndefined();
  expect(readHook(hook)?.turnEnd?.outcome).toBe('completed');
});

test('two in one folder: a file that has lost its first line tells how the turn ended', () => {
  const body = { ...base, transcript_path: write([answer]), prompt_response: 'Yes.' };
  expect(readHook({ event: 'AfterAgent', body })?.turnEnd?.outcome).toBe('completed');
  expect(readOffer({ event: 'AfterAgent', body })).toBeDefined();
});

test('the start of a session tells its conversation, also the new one after /clear', () => {
  const meaning = readHook({ event: 'SessionStart', body: { ...base, source: 'clear' } });
  expect(meaning).toEqual({
    conversation: base.session_id,
    transcriptPath: base.transcript_path,
  });
});

test('events that say nothing about the status, and malformed payloads, mean nothing (O5)', () => {
  expect(readHook({ event: 'PreCompress', body: base })).toBeUndefined();
  expect(readHook({ event: 'SessionEnd', body: base })).toBeUndefined();
  expect(readHook({ event: 'Notification', body: { notification_type: 7 } })).toBeUndefined();
  expect(readHook({ event: 'BeforeAgent', body: { session_id: {} } })).toEqual({
    report: { status: 'processing' },
  });
});

function write(records: readonly object[]): string {
  const path = join(folder, 'chat.jsonl');
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  return path;
}

test('rule 27: a turn without a word of its own is told with none, not with those of the turn before', () => {
  const body = { session_id: 'g', timestamp: '2026-11-17T03:00:00.000Z' };
  const silent = { ...body, prompt_response: '[no response text]' };
  expect(readHook({ event: 'AfterAgent', body: silent })?.turnEnd?.text).toBe('');
});
