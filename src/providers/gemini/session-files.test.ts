import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findSessionFiles, followClear } from './session-files.ts';

const one = 'a1b2c3d4-1111-4222-8333-444455556666';
const two = 'b1b2c3d4-1111-4222-8333-444455556666';
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'signalbox-gemini-'));
  mkdirSync(join(home, '.gemini/tmp/app/chats'), { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test('what was typed leads to the conversation after /clear; without it, or where it is no JSON, it is the known one', async () => {
  const at = Date.now() + 10_000;
  header(one, 0);
  header(two, at + 50);
  expect(await followClear(place(), one)).toBe(one);
  log('{"half');
  expect(await followClear(place(), one)).toBe(one);
  const entry = { sessionId: one, message: '/clear', timestamp: new Date(at).toISOString() };
  log(JSON.stringify([entry]));
  expect(await followClear(place(), one)).toBe(two);
});

test('rule 41: where it cannot be read it throws', async () => {
  const path = join(home, '.gemini/tmp/app/logs.json');
  symlinkSync(path, path);
  await expect(followClear(place(), one)).rejects.toMatchObject({ code: 'ELOOP' });
});

test('a file without a first line belongs to the conversation that it is named after; an odd id to none', async () => {
  writeFileSync(file(one), '{"id":"u1","type":"user"}\n');
  expect(await findSessionFiles(place(), one)).toMatchObject([{ path: file(one), id: undefined }]);
  expect(await findSessionFiles(place(), two)).toEqual([]);
  expect(await findSessionFiles(place(), 'a1b2c3d4-../../..')).toEqual([]);
  header(one, 0, 'a1b2c3d4-9999-4222-8333-444455556666');
  expect(await findSessionFiles(place(), one)).toEqual([]);
});

function place() {
  return { env: { HOME: home }, cwd: '/srv/app' };
}

function header(id: string, startedAt: number, sessionId = id): void {
  const startTime = new Date(startedAt).toISOString();
  writeFileSync(file(id), `${JSON.stringify({ sessionId, startTime, kind: 'main' })}\n`);
}

function log(text: string): void {
  writeFileSync(join(home, '.gemini/tmp/app/logs.json'), text);
}

function file(id: string): string {
  return join(home, `.gemini/tmp/app/chats/session-2026-11-15T12-46-${id.slice(0, 8)}.jsonl`);
}
