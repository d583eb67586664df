import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { provider as claudeCode } from './claude-code/provider.ts';
import { provider as codex } from './codex/provider.ts';
import { provider as copilot } from './copilot/provider.ts';
import { provider as gemini } from './gemini/provider.ts';
import { provider as kimi } from './kimi/provider.ts';
import type { Provider } from './provider.ts';
import { provider as qwen } from './qwen/provider.ts';

const id = 'a1b2c3d4-1111-4222-8333-444455556666';
const chat = '.gemini/tmp/app/chats/session-2026-11-15T12-46-a1b2c3d4.jsonl';
const header = { sessionId: id, startTime: '2026-11-15T12:46:39.145Z', kind: 'main' };
const hello = { id: 'u1', type: 'user', content: [{ text: 'hello' }] };
const context = { id: 'u0', type: 'user', content: [{ text: '<session_context>\nx' }] };

/** Where each keeps a conversation, and the folder that is listed for it. */
const places: readonly (readonly [Provider, string, string, string])[] = [
  [claudeCode, '.claude/projects', `-srv-app/${id}.jsonl`, '{}\n'],
  [codex, '.codex/sessions', `2026/11/15/rollout-2026-11-15T12-46-39-${id}.jsonl`, '{}\n'],
  [codex, '.codex/archived_sessions', `rollout-2026-11-15T12-46-39-${id}.jsonl`, '{}\n'],
  [gemini, '.gemini/tmp', chat.replace('.gemini/tmp/', ''), lines(header, hello)],
  [qwen, '.qwen/projects', `-srv-app/chats/${id}.jsonl`, '{}\n'],
  [copilot, `.copilot/session-state/${id}`, 'events.jsonl', '{}\n'],
  [kimi, '.kimi-code/sessions', `wd_app_1/${id}/state.json`, '{}\n'],
];

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'signalbox-saved-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe.each(places)('$0.name in $1', ({ findSaved }, folder, file, text) => {
  test('rule 41: a conversation is missing, saved, or, where that cannot be told, unknown', async () => {
    const look = () => findSaved?.({ conversation: id, cwd: '/srv/app', env: { HOME: home } });
    expect(await look()).toBe('missing');
    write(join(folder, file), text);
    expect(await look()).toBe('saved');
    rmSync(join(home, folder), { recursive: true });
    write(folder, 'in the place of a folder');
    expect(await look()).toBe('unknown');
  });
});

test('Gemini CLI 0.61.0: a file in which nothing was said, or whose turn was taken out, is empty', async () => {
  const look = () => gemini.findSaved?.({ conversation: id, cwd: '/srv/app', env: { HOME: home } });
  write(chat, lines(header, context));
  expect(await look()).toBe('empty');
  write(chat, lines(header, hello, { $set: { messages: [context] } }));
  expect(await look()).toBe('empty');
  // Another Gemini removed the empty file, and this one made it anew without its first line.
  write(chat, lines(hello));
  expect(await look()).toBe('unknown');
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
}

function lines(...records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}
