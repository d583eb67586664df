import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { waitFor } from '../../../test/support/wait-for.ts';
import { systemClock } from '../../shared/clock.ts';
import type { StateWatch } from '../provider.ts';
import { watchState } from './state.ts';

let home: string;
let watches: StateWatch[];
let startedAt: number;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'signalbox-kimi-'));
  watches = [];
  startedAt = systemClock.now();
});
afterEach(() => {
  vi.useRealTimers();
  for (const watch of watches) watch.close();
  rmSync(home, { recursive: true, force: true });
});

test('the session that was begun while the agent was drawing is its conversation, also a later one', async () => {
  const { watch, learned } = open('/srv/app');
  begin('session_a', '/srv/app');
  watch.check();
  await until(() => learned.at(-1) === 'session_a');
  begin('session_b', '/srv/app');
  watch.check();
  await until(() => learned.at(-1) === 'session_b');
  expect(learned).toEqual(['session_a', 'session_b']);
});

test('sessions of other folders, of earlier times and of other agents are not taken', async () => {
  begin('session_old', '/srv/app', startedAt - 60_000);
  const { watch, learned } = open('/srv/app');
  const other = open('/other');
  begin('session_o', '/other');
  other.watch.check();
  watch.check();
  await until(() => other.learned.length === 1);
  begin('session_a', '/srv/app');
  watch.check();
  await until(() => learned.length > 0);
  expect(learned).toEqual(['session_a']);
  expect(other.learned).toEqual(['session_o']);
});

test('of two agents that draw in one folder neither is given what may be the other’s', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const one = open('/srv/app');
  const two = open('/srv/app');
  one.watch.check();
  two.watch.check();
  begin('session_x', '/srv/app');
  // Later only one of them draws; whoever looks then has judged the first session before this one.
  vi.setSystemTime(systemClock.now() + 10_000);
  begin('session_y', '/srv/app');
  one.watch.check();
  await until(() => one.learned.length > 0);
  two.watch.check();
  expect(one.learned).toEqual(['session_y']);
  expect(two.learned).toEqual([]);
});

test('no index, and one with anything in it, are no reason to stop (O5)', async () => {
  const { watch, learned } = open('/srv/app');
  watch.check();
  writeFileSync(join(home, 'session_index.jsonl'), `{"sessionId":7}\nnot json\n\n{"half`);
  watch.check();
  appendFileSync(join(home, 'session_index.jsonl'), `":1}\n`);
  begin('session_a', '/srv/app');
  watch.check();
  await until(() => learned.at(-1) === 'session_a');
});

function open(cwd: string) {
  const learned: string[] = [];
  const life = { agent: 'agt_1', pid: 1, runFolder: '/run', version: '2.1.0', startedAt };
  const context = { ...life, cwd, conversation: undefined, env: { KIMI_CODE_HOME: home } };
  const watch = watchState(context, ({ conversation }) => learned.push(conversation ?? '-'));
  watches.push(watch);
  return { watch, learned };
}

/** As Kimi Code 2.1.0 does it: the session's own file first, then its line of the index. */
function begin(sessionId: string, workDir: string, createdAt = systemClock.now()): void {
  const sessionDir = join(home, 'sessions', 'wd_work', sessionId);
  mkdirSync(sessionDir, { recursive: true });
  writeFileSync(join(sessionDir, 'state.json'), JSON.stringify({ id: sessionId, createdAt }));
  const line = JSON.stringify({ sessionId, sessionDir, workDir });
  appendFileSync(join(home, 'session_index.jsonl'), `${line}\n`);
}

async function until(holds: () => boolean): Promise<void> {
  await waitFor(() => expect(holds()).toBe(true));
}
