import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AttemptTrace, Evidence } from '../way-in.ts';
import { openEvidence } from './evidence.ts';

const mark = 'mark_01m7fz57wq00tetqftj04w3q8z_nvztb7yaytv4c83v9hdc9jesj';
const one = 'a1b2c3d4-1111-4222-8333-444455556666';
const two = 'b1b2c3d4-1111-4222-8333-444455556666';
let home: string;
let evidence: Evidence;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'signalbox-gemini-'));
  const context = {
    agent: 'agt_1',
    pid: 1,
    cwd: '/srv/app',
    runFolder: '/run',
    conversation: one,
    startedAt: 0,
    version: '0.61.0',
    env: { HOME: home },
  };
  evidence = openEvidence({ current: () => context, changed: () => undefined });
});
afterEach(() => {
  evidence.close();
  rmSync(home, { recursive: true, force: true });
});

test('rule 10: without a record a dead process has not sent it; while it lives nothing is certain', async () => {
  chat(one);
  expect(await found({ isAlive: true })).toBe('none');
  expect(await found({ isAlive: false })).toBe('absent');
});

test('rule 10: a conversation whose file is gone proves nothing', async () => {
  expect(await found({ isAlive: false })).toBe('unknown');
  chat(one);
  expect(await found({ isAlive: false, conversation: two })).toBe('unknown');
  expect(await found({ isAlive: false, conversation: undefined })).toBe('unknown');
});

test('what a dead one wrote after a /clear that nobody told of is found, too', async () => {
  chat(one);
  chat(
    two,
    { id: 'u1', type: 'user', content: [{ text: `<signalbox ${mark}>` }] },
    { id: 'g1', type: 'gemini', content: 'Yes.', model: 'gemini-3' },
  );
  expect(await found({ isAlive: false })).toBe('seen');
});

test('a record counts in a file that has lost its first line, whoever deleted it (two in one folder)', async () => {
  lines(one, answered());
  expect(await found({ isAlive: true })).toBe('seen');
  expect(await found({ isAlive: false })).toBe('seen');
  rmSync(file(one));
  chat(one);
  lines(two, answered());
  expect(await found({ isAlive: true })).toBe('seen');
});

test('a record counts in another conversation of the project while its process lives', async () => {
  chat(one);
  chat(two, ...answered());
  expect(await found({ isAlive: true })).toBe('seen');
});

test('rule 41: a file that has lost its first line keeps nothing absent, and nothing of rule 11', async () => {
  chat(one);
  lines(two, [{ id: 'u9', type: 'user', content: [{ text: 'another' }] }]);
  expect(await found({ isAlive: false })).toBe('unknown');
  expect(await found({ isAlive: true })).toBe('unknown');
  // One that was not written to since the attempt cannot have held it.
  utimesSync(file(two), 1, 1);
  expect(await found({ isAlive: false, at: Date.now() })).toBe('absent');
});

test('rule 41: a living one whose file is gone has no record that could be missed', async () => {
  chat(two);
  expect(await found({ isAlive: true })).toBe('unknown');
});

test('a file that is deleted in mid-turn and made anew goes on with what it held', async () => {
  const [asked = {}, answer = {}] = answered();
  chat(one, asked);
  expect(await found({ isAlive: true })).toBe('landed');
  rmSync(file(one));
  expect(await found({ isAlive: true })).toBe('landed');
  lines(one, [answer]);
  expect(await found({ isAlive: true })).toBe('seen');
  // One that begins with its first line tells everything itself.
  rmSync(file(one));
  expect(await found({ isAlive: true })).toBe('seen');
  chat(one);
  expect(await found({ isAlive: true })).toBe('none');
});

test('rule 41: what cannot be listed or read is unknown, not absent; what was seen before stays seen', async () => {
  const chats = join(home, '.gemini/tmp/app/chats');
  const loops = [
    chats,
    join(home, '.gemini/tmp'),
    join(home, '.gemini/projects.json'),
    join(home, '.gemini/tmp/app/logs.json'),
    join(chats, 'session-2026-11-15T12-46-b1b2c3d4.jsonl'),
  ];
  for (const loop of loops) {
    chat(one);
    expect(await found({ isAlive: false })).toBe('absent');
    rmSync(loop, { recursive: true, force: true });
    symlinkSync(loop, loop);
    expect(await found({ isAlive: false }), loop).toBe('unknown');
    expect(await found({ isAlive: true }), loop).toBe('unknown');
    rmSync(loop);
    rmSync(join(home, '.gemini'), { recursive: true, force: true });
  }
  chat(one, ...answered());
  expect(await found({ isAlive: true })).toBe('seen');
  rmSync(join(home, '.gemini/tmp'), { recursive: true });
  symlinkSync(join(home, '.gemini/tmp'), join(home, '.gemini/tmp'));
  expect(await found({ isAlive: true })).toBe('seen');
});

function answered(): readonly object[] {
  return [
    { id: 'u1', type: 'user', content: [{ text: `<signalbox ${mark}>` }] },
    { id: 'g1', type: 'gemini', content: 'Yes.', model: 'gemini-3' },
  ];
}

function chat(id: string, ...records: readonly object[]): void {
  const header = { sessionId: id, startTime: '2026-11-15T12:46:39.145Z', kind: 'main' };
  lines(id, [header, ...records]);
}

function lines(id: string, records: readonly object[]): void {
  mkdirSync(join(home, '.gemini/tmp/app/chats'), { recursive: true });
  writeFileSync(file(id), records.map((record) => `${JSON.stringify(record)}\n`).join(''));
}

function file(id: string): string {
  return join(home, `.gemini/tmp/app/chats/session-2026-11-15T12-46-${id.slice(0, 8)}.jsonl`);
}

async function found(wish: Partial<AttemptTrace>): Promise<string | undefined> {
  const base = { mark, route: 'paste', at: 0, isSubmitted: false, isAlive: true } as const;
  return (await evidence.judge([{ ...base, conversation: one, ...wish }]))[0]?.found;
}
