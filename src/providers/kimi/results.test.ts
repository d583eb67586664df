import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findInResults } from './results.ts';

/**
 * A handoff whose worker reported twice (2.1.0). Kimi cancelled the call 40 ms after the model's
 * last word.
 */
const recorded = readFileSync(join(import.meta.dirname, 'recordings/handoff.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .slice(1);
/** As signalbox wrote the last lines of messages when this was recorded. */
const endOf = (id: string): string => `--- end of ${id}`;
const reports = ['msg_01m7me5j73002a4k62zj68mnz4', 'msg_01m7me5jex00bce2da325bcykm'].map(endOf);
const end = recorded.findIndex((line) => line.includes('"tool.result"')) + 1;
let home: string;
let wire: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'signalbox-kimi-'));
  const folder = join(home, '.kimi-code/sessions/wd_work_1/session_1/agents/main');
  mkdirSync(folder, { recursive: true });
  wire = join(folder, 'wire.jsonl');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test('rule 17: what the result of a call holds is on record, whatever its client cancels', async () => {
  write(recorded.slice(0, end));
  expect(await find(reports)).toEqual(reports);
  // The turn after it, too, is on record by now.
  write(recorded);
  expect(await find(reports)).toEqual(reports);
});

test('rule 17: a message that a result only names, or a prompt holds, is none that it holds', async () => {
  write(recorded);
  const task = 'msg_01m7me5epf00mrcs9dp2y49ek0';
  expect(await find([endOf(task)])).toEqual([]);
  write(recorded.filter((line) => !line.includes('"tool.result"')));
  expect(await find(reports)).toEqual([]);
  rmSync(wire);
  expect(await find(reports)).toEqual([]);
});

test('rule 17: the records may follow the cancel', async () => {
  write(recorded.slice(0, end - 1));
  const found = find(reports, AbortSignal.timeout(10_000));
  write(recorded.slice(0, end));
  expect(await found).toHaveLength(2);
});

function find(ends: readonly string[], signal = AbortSignal.abort()) {
  const rest = { agent: 'agt_1', pid: 1, cwd: '/srv/app', runFolder: '/run', version: '2.1.0' };
  const context = { ...rest, startedAt: 0, conversation: 'session_1', env: { HOME: home } };
  return findInResults(context, ends, signal);
}

function write(lines: readonly string[]): void {
  writeFileSync(wire, `${lines.join('\n')}\n`);
}
