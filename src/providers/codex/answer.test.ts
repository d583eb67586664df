import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../../test/support/home.ts';
import type { AgentContext } from '../provider.ts';
import { chooseAnswer, cutLastAnswer, readLastAnswer } from './answer.ts';
import { findRollout, findRollouts, readRollout, readTurnTale } from './rollout.ts';

const complete = (text: string) => ({ kind: 'answer', text, isPartial: false });
const earlier = (text: string) => ({ ...complete(text), isEarlier: true });
const signal = AbortSignal.timeout(60_000);

/** As `thread/turns/list` of 0.166.0 gives them, newest first. */
const turn = (status: string, ...texts: string[]) => ({
  status,
  items: [
    { type: 'userMessage', content: [] },
    ...texts.map((text) => ({ type: 'agentMessage', text })),
  ],
});

test.each([
  ['a completed turn', [turn('completed', 'let me look', 'done')], complete('done')],
  ['a failed one (B15)', [turn('failed'), turn('completed', 'old')], { kind: 'no-response' }],
  ['one under way without words', [turn('inProgress'), turn('completed', 'old')], earlier('old')],
  [
    'one under way with words',
    [turn('inProgress', 'so far')],
    { kind: 'answer', text: 'so far', isPartial: true },
  ],
  [
    'one that was broken off: the screen may know',
    [turn('interrupted'), turn('completed', 'old')],
    undefined,
  ],
  ['none', [], undefined],
])('the last answer of %s', (_, turns, answer) => {
  expect(chooseAnswer(turns)).toEqual(answer);
});

/** Payloads of a rollout of 0.166.0. */
const started = { type: 'task_started' };
const ended = (text: string | null) => ({ type: 'task_complete', last_agent_message: text });
const aborted = { type: 'turn_aborted', reason: 'interrupted' };
const said = (text: string) => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text }],
});

test.each([
  [
    'the end of the last turn',
    [started, said('one'), ended('one'), started, ended('two')],
    complete('two'),
  ],
  ['no response (B15)', [started, ended('one'), started, ended(null)], { kind: 'no-response' }],
  ['the answer before a turn that is silent yet', [started, ended('one'), started], earlier('one')],
  ['words before an interruption', [started, said('on'), aborted], complete('on')],
  ['nothing of a silent interruption', [started, ended('one'), started, aborted], undefined],
  ['words so far', [started, said('so far')], { kind: 'answer', text: 'so far', isPartial: true }],
  ['nothing', [{ type: 'session_meta' }], undefined],
])('a rollout gives %s', async (_, payloads, answer) => {
  expect(await readRollout(write(tempHome(), payloads), signal)).toEqual(answer);
});

test('O5: a corrupt line makes what is beside it partial, and stops nothing', async () => {
  const path = write(tempHome(), [
    started,
    said('one'),
    '{"payload":{"type":"task_complete"',
    aborted,
  ]);
  expect(await readRollout(path, signal)).toEqual({ kind: 'answer', text: 'one', isPartial: true });
});

test('without a server the rollout is found by its conversation in CODEX_HOME', async () => {
  const home = tempHome();
  const day = join(home, 'sessions', '2026', '11', '15');
  mkdirSync(day, { recursive: true });
  write(day, [started, ended('one')], 'rollout-2026-11-15T12-00-00-01a1.jsonl');
  const context: AgentContext = {
    agent: 'agt_1',
    pid: 1,
    cwd: '/srv/app',
    runFolder: home,
    conversation: '01a1',
    startedAt: 0,
    version: '0.166.0',
    env: { CODEX_HOME: home },
  };
  expect(await readLastAnswer(context, signal)).toEqual(complete('one'));
  expect(await readLastAnswer({ ...context, conversation: '01a2' }, signal)).toBeUndefined();
  expect(await readLastAnswer({ ...context, conversation: undefined }, signal)).toBeUndefined();
});

test('of a conversation that a person went back in, the newest file counts', async () => {
  const home = tempHome();
  const days = ['14', '15', '16'].map((day) => join(home, 'sessions', '2026', '11', day));
  for (const day of days) mkdirSync(day, { recursive: true });
  const [before = '', day = '', after = ''] = days;
  write(before, [ended('other')], 'rollout-2026-11-14T12-00-00-01a0.jsonl');
  const first = write(day, [ended('one')], 'rollout-2026-11-15T12-00-00-01a1.jsonl');
  const second = write(after, [started], 'rollout-2026-11-16T12-00-00-01a1_02b2.jsonl');
  write(after, [started], 'rollout-2026-11-16T12-00-00-01a12.jsonl');
  expect(await findRollouts({ CODEX_HOME: home }, '01a1')).toEqual([first, second]);
  expect(await findRollout({ CODEX_HOME: home }, '01a1')).toBe(second);
});

test('rule 26: the words of one turn are those of its own record, once that is there, and what it held is its own', async () => {
  const end = (turn_id: string, text: string | null) => ({ ...ended(text), turn_id });
  const start = (turn_id: string) => ({ ...started, turn_id });
  const mark = (letter: string) => `mark_${letter.repeat(24)}`;
  const given = (letter: string) => ({ type: 'message', role: 'user', content: mark(letter) });
  const path = write(tempHome(), [
    ...[end('t0', 'of an older file')],
    ...[start('t1'), given('a'), said('one'), given('b'), end('t1', 'one')],
    ...[start('t2'), given('c'), said('half'), end('t2', null)],
    ...[start('t3'), { ...aborted, turn_id: 't3' }],
    ...[start('t4'), given('d'), said('so far')],
  ]);
  const tale = (turn: string) => readTurnTale(path, turn, signal);
  expect(await tale('t0')).toEqual({ text: 'of an older file' });
  const { held = [], ...words } = (await tale('t1')) ?? {};
  expect(words).toEqual({ text: 'one' });
  expect(held.toSorted()).toEqual([mark('a'), mark('b')]);
  expect(await tale('t2')).toEqual({ text: 'half', held: [mark('c')] });
  expect(await tale('t3')).toEqual({ held: [] });
  expect(await tale('t4')).toBeUndefined();
});

const footer =
  '\n› Ask Codex to do anything\n\n  mock-model default · /srv/app · Lab\n  ? for shortcuts';

test('without both the last block after the last prompt is cut from the screen', () => {
  const turn =
    '› do it\n\n• let me look\n\n✔ You approved codex to run touch a\n\n• Ran touch a\n  └ (no output)\n';
  const answer = '• it is done\n\n  • a list\n\n  └ Tip: Use /skills.\n\n  Worked for 2s • 13:06\n';
  expect(cutLastAnswer(turn + answer + footer)).toEqual(complete('it is done\n\n• a list'));
  expect(cutLastAnswer(turn + footer)).toEqual(complete('let me look'));
  expect(cutLastAnswer(`› do it\n\n■ unexpected status 401\n${footer}`)).toEqual({
    kind: 'no-response',
  });
  expect(cutLastAnswer(`• it is done\n${footer}`)).toEqual({
    kind: 'answer',
    text: 'it is done',
    isPartial: true,
  });
});

test('of an answer whose beginning has scrolled away below its prompt nothing is claimed', () => {
  expect(cutLastAnswer(`› do it\n  line 283\n  line 284\n${footer}`)).toBeUndefined();
});

function write(folder: string, payloads: readonly unknown[], name = 'rollout.jsonl'): string {
  const path = join(folder, name);
  const lines = payloads.map((payload) =>
    typeof payload === 'string' ? payload : JSON.stringify({ type: 'event_msg', payload }),
  );
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}
