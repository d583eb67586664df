import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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

function chat(id: string, ...records: readonly object[]): void {
  const folder = join(home, '.gemini/tmp/app/chats');
  mkdirSync(folder, { recursive: true });
  const header = { sessionId: id, startTime: '2026-11-15T12:46:39.145Z', kind: 'main' };
  const text = [header, ...records].map((record) => `${JSON.stringify(record)}\n`).join('');
  writeFileSync(join(folder, `session-2026-11-15T12-46-${id.slice(0, 8)}.jsonl`), text);
}

async function found(wish: Partial<AttemptTrace>): Promise<string | undefined> {
  const base = { mark, route: 'paste', at: 0, isSubmitted: false, isAlive: true } as const;
  return (await evidence.judge([{ ...base, conversation: one, ...wish }]))[0]?.found;
}
