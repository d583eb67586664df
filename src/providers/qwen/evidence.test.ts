import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitFor } from '../../../test/support/wait-for.ts';
import type { AttemptTrace, Evidence, Finding } from '../way-in.ts';
import { openEvidence } from './evidence.ts';

const mark = 'mark_01m7fyta2800vvhhbp7shf01w4_secret';
const first = 'a1b2c3d4-1111-4222-8333-444455556666';
const second = 'f0000000-1111-4222-8333-444455556666';
const prompt = line('user', `<signalbox ${mark}>`);
const answer = line('assistant', 'ok');
let home: string;
let conversation: string | undefined;
let evidence: Evidence;
let changes: number;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'signalbox-qwen-'));
  mkdirSync(join(home, '.qwen/projects/-srv-app/chats'), { recursive: true });
  conversation = first;
  changes = 0;
  evidence = open();
});
afterEach(() => {
  evidence.close();
  rmSync(home, { recursive: true, force: true });
});

test('a file that grows is read on, also from the middle of a line, and a new reader finds the same', async () => {
  expect(await judge()).toMatchObject({ found: 'none' });
  writeFileSync(chat(first), prompt + answer.slice(0, 10));
  expect(await judge()).toMatchObject({
    found: 'none',
    evidence: expect.stringMatching(/^user record/),
  });
  appendFileSync(chat(first), answer.slice(10));
  const proof = await judge();
  expect(proof).toMatchObject({ found: 'seen' });
  expect(proof?.evidence).toContain(`in ${first}.jsonl`);
  expect(proof?.evidence).not.toContain(home);
  evidence.close();
  evidence = open();
  expect(await judge()).toEqual(proof);
});

test('after /clear it is found in the new conversation, and stays proven in the old one', async () => {
  writeFileSync(chat(first), line('user', 'base') + answer);
  expect(await judge()).toMatchObject({ found: 'none' });
  conversation = second;
  writeFileSync(chat(second), prompt + answer);
  expect(await judge()).toMatchObject({ found: 'seen' });
  writeFileSync(chat(first), prompt + answer);
  writeFileSync(chat(second), line('user', 'other'));
  expect(await judge()).toMatchObject({ found: 'seen' });
});

test('a file that was replaced or cut is read from its beginning', async () => {
  writeFileSync(chat(first), line('user', 'a long prompt '.repeat(50)) + answer);
  expect(await judge()).toMatchObject({ found: 'none' });
  writeFileSync(chat(first), prompt + answer);
  expect(await judge()).toMatchObject({ found: 'seen' });
});

test('a line over 16 MB is passed over; what died with it is not called absent (O5)', async () => {
  writeFileSync(chat(first), `${line('user', 'x'.repeat(17 * 1024 * 1024))}${prompt}${answer}`);
  expect(await judge()).toMatchObject({ found: 'seen' });
  const other = { mark: 'mark_other', isAlive: false };
  expect(await judge(other)).toMatchObject({ found: 'unknown' });
});

test('rule 10: after a death a conversation without a file proves that nothing landed', async () => {
  expect(await judge({ isAlive: false })).toMatchObject({ found: 'absent' });
  expect(await judge({ isAlive: false, isSubmitted: true })).toMatchObject({ found: 'unknown' });
});

test('rule 10: a restart that resumed nothing leaves what was on record open', async () => {
  writeFileSync(chat(first), prompt);
  conversation = second;
  expect(await judge({ isAlive: false })).toMatchObject({ found: 'landed', isLeft: true });
});

test('while something is awaited it tells when the file has grown', async () => {
  writeFileSync(chat(first), prompt);
  await judge();
  appendFileSync(chat(first), answer);
  await waitFor(() => expect(changes).toBeGreaterThan(0));
});

test('questions that come at the same time do not disturb each other', async () => {
  writeFileSync(chat(first), (line('user', 'x') + answer).repeat(5000) + prompt + answer);
  const findings = await Promise.all(Array.from({ length: 5 }, () => judge()));
  expect(findings.map((finding) => finding?.found)).toEqual(Array(5).fill('seen'));
});

async function judge(more: Partial<AttemptTrace> = {}): Promise<Finding | undefined> {
  const rest = { route: 'native', at: 0, isSubmitted: false, isAlive: true } as const;
  return (await evidence.judge([{ mark, ...rest, conversation: first, ...more }]))[0];
}

function open(): Evidence {
  const rest = { agent: 'agt_1', pid: 1, cwd: '/srv/app', version: '0.24.4' };
  const env = { HOME: home };
  return openEvidence({
    current: () => ({ ...rest, env, runFolder: '/run', startedAt: 0, conversation }),
    changed: () => {
      changes++;
    },
  });
}

function chat(id: string): string {
  return join(home, '.qwen/projects/-srv-app/chats', `${id}.jsonl`);
}

function line(type: string, text: string): string {
  const timestamp = '2026-11-15T13:00:00Z';
  return `${JSON.stringify({ uuid: `${type}-1`, type, timestamp, message: { parts: [{ text }] } })}\n`;
}
