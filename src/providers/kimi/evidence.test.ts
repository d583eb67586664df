import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Evidence } from '../way-in.ts';
import { openEvidence } from './evidence.ts';

const mark = 'mark_01m7fz57wq00tetqftj04w3q8z_nvztb7yaytv4c83v9hdc9jesj';
let home: string;
let evidence: Evidence;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'signalbox-kimi-'));
  const context = {
    agent: 'agt_1',
    pid: 1,
    cwd: '/srv/app',
    runFolder: '/run',
    conversation: 'session_1',
    startedAt: 0,
    version: '2.1.0',
    env: { KIMI_CODE_HOME: home },
  };
  evidence = openEvidence({ current: () => context, changed: () => undefined });
});
afterEach(() => {
  evidence.close();
  rmSync(home, { recursive: true, force: true });
});

test('rule 10: a dead process may have sent what it has not written; its sub-agents’ files are not read (rule 38)', async () => {
  expect(await found(true)).toBe('none');
  write('agent-1');
  expect(await found(true)).toBe('none');
  expect(await found(false)).toBe('unknown');
  write('main');
  expect(await found(true)).toBe('landed');
  expect(await found(false)).toBe('landed');
});

function write(agent: string): void {
  const folder = join(home, 'sessions', 'wd_app', 'session_1', 'agents', agent);
  mkdirSync(folder, { recursive: true });
  const text = `<signalbox ${mark}>`;
  const message = { role: 'user', content: [{ type: 'text', text }], origin: { kind: 'user' } };
  const record = { type: 'context.append_message', agentId: agent, message };
  appendFileSync(join(folder, 'wire.jsonl'), `${JSON.stringify(record)}\n`);
}

async function found(isAlive: boolean): Promise<string | undefined> {
  const base = { mark, route: 'paste', at: 0, isSubmitted: false, isAlive } as const;
  return (await evidence.judge([{ ...base, conversation: 'session_1' }]))[0]?.found;
}
