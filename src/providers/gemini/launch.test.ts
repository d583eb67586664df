import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LaunchRequest } from '../provider.ts';
import { planLaunch } from './launch.ts';

const old = 'a1b2c3d4-1111-4222-8333-444455556666';
const fresh = 'f0000000-1111-4222-8333-444455556666';
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'signalbox-gemini-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test('a launch says nothing but which conversation, and passes no bypass flag (rule 39)', () => {
  expect(planLaunch(request({}))).toEqual({
    argv: ['/bin/gemini', '--session-id', fresh],
    env: {},
    files: [],
    helpers: [],
    conversation: fresh,
  });
});

test('model and a person’s own arguments follow; what a person says about either wins', () => {
  const argv = (wish: Partial<LaunchRequest>): readonly string[] => planLaunch(request(wish)).argv;
  expect(argv({ model: 'm', extraArgs: ['--yolo'] }).slice(3)).toEqual(['--model', 'm', '--yolo']);
  expect(argv({ model: 'm', extraArgs: ['-m', 'n'] }).slice(3)).toEqual(['-m', 'n']);
  const chosen = planLaunch(request({ extraArgs: ['--session-id', old] }));
  expect(chosen.argv).toEqual(['/bin/gemini', '--session-id', old]);
  expect(chosen.conversation).toBe(old);
  expect(planLaunch(request({ extraArgs: ['--resume=latest'] })).conversation).toBeUndefined();
});

test('a restart resumes a conversation that has a turn, whatever was chosen the first time (rule 37)', () => {
  chat({ id: 'u1', type: 'user', content: [{ text: 'hello' }] });
  const again = request({ epoch: 2, resume: old, extraArgs: ['--session-id', 'x', '--yolo'] });
  expect(planLaunch(again)).toMatchObject({
    argv: ['/bin/gemini', '--resume', old, '--yolo'],
    conversation: old,
  });
});

test('a restart before the first turn, or after it was taken out again, begins a new conversation', () => {
  const again = request({ epoch: 2, resume: old });
  expect(planLaunch(again).argv).toEqual(['/bin/gemini', '--session-id', fresh]);
  const context = { id: 'u0', type: 'user', content: [{ text: '<session_context>\nx' }] };
  chat(context);
  expect(planLaunch(again).conversation).toBe(fresh);
  chat({ id: 'u1', type: 'user', content: [{ text: 'hello' }] }, { $set: { messages: [context] } });
  expect(planLaunch(again).conversation).toBe(fresh);
});

function chat(...records: readonly object[]): void {
  const folder = join(home, '.gemini/tmp/work/chats');
  mkdirSync(folder, { recursive: true });
  const header = { sessionId: old, startTime: '2026-11-15T12:46:39.145Z', kind: 'main' };
  const text = [header, ...records].map((record) => `${JSON.stringify(record)}\n`).join('');
  writeFileSync(join(folder, 'session-2026-11-15T12-46-a1b2c3d4.jsonl'), text);
}

function request(wish: Partial<LaunchRequest>): LaunchRequest {
  return {
    agent: { id: 'agt_1', name: 'g' },
    epoch: 1,
    executablePath: '/bin/gemini',
    version: '0.61.0',
    cwd: '/work',
    model: undefined,
    extraArgs: [],
    resume: undefined,
    runFolder: '/run/1',
    env: { HOME: home },
    hookCommand: (event) => `hook ${event}`,
    newConversation: fresh,
    freePort: 40_001,
    ...wish,
  };
}
