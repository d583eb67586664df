import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TurnNews } from '../way-in.ts';
import { readTurnParts } from './turn-parts.ts';

const conversation = '93c68afd-47b7-42aa-bc64-7a2230897b49';
const heardAt = Date.parse('2026-11-17T09:11:22.000Z');
/** As Stop told it (0.24.4): once for the whole turn, with the words for what joined it last. */
const stop = told('The answer is lettercabcf5023b.');
const first = 'mark_01m7mccmfg00767vhwrkn1p5c5_3ydabfwk2qnyav60b97d7v8a0j';
const second = 'mark_01m7mccn5q00haqgp4drqywkm8_9t611ekm53c4fgd53t6z1rhw6j';
const recorded = readFileSync(join(import.meta.dirname, 'recordings/joined-by-task.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .slice(1);
let home: string;
let chat: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'signalbox-qwen-'));
  const folder = join(home, '.qwen/projects/-srv-app/chats');
  mkdirSync(folder, { recursive: true });
  chat = join(folder, `${conversation}.jsonl`);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test('rule 27: a task that joined the turn of another has the answer of its own part, and so has that other', async () => {
  write(...recorded);
  expect(await parts(stop)).toEqual([
    {
      session: conversation,
      id: '7876200b-a00c-4715-9203-b21c4b05a81b',
      stop: 1,
      outcome: 'completed',
      text: 'The answer is letterb5cef7349e.',
      endedAt: Date.parse('2026-11-17T09:11:20.165Z'),
      held: [first],
    },
    { ...stop, held: [second] },
  ]);
});

test('rule 27: the file is behind the hook: what the turn said is waited for', async () => {
  write(...recorded.slice(0, 5));
  const found = parts(stop);
  await expect(Promise.race([found, Promise.resolve('waits')])).resolves.toBe('waits');
  appendFileSync(chat, `${recorded.slice(5, 8).join('\n')}\n`);
  expect(await found).toMatchObject([{ held: [first] }, { held: [second] }]);
});

test('rule 27: where it never says what the hook told, only what was answered for certain is told by itself', async () => {
  write(...recorded.slice(0, 6));
  expect(await parts(stop, AbortSignal.timeout(120))).toMatchObject([{ held: [first] }, stop]);
  expect((await parts(stop, AbortSignal.abort())).at(-1)).toEqual(stop);
  rmSync(chat);
  expect(await parts(stop, AbortSignal.abort())).toEqual([stop]);
});

test('rule 27: a turn that failed or was interrupted after something joined it has answered what it held before', async () => {
  write(...recorded.slice(0, 6));
  for (const outcome of ['failed', 'interrupted'] as const) {
    const end = { ...stop, outcome };
    expect(await parts(end)).toMatchObject([{ outcome: 'completed', held: [first] }, end]);
  }
});

test('rule 27: one answer is for all that joined amid its tools', async () => {
  const [asked, joined, more] = ['user', 'user', 'user'].map((type, i) =>
    line({ type, ...(i > 0 ? midTurn : {}), ...says(`<signalbox mark_${i}2345678901234567890>`) }),
  );
  const call = { type: 'assistant', message: { parts: [{ functionCall: { name: 'x' } }] } };
  const answer = line({ type: 'assistant', uuid: 'a', ...says('All of it.') });
  write(asked, line(call), line({ type: 'tool_result' }), joined, more, answer);
  expect(await parts(told('All of it.'))).toEqual([
    { ...told('All of it.'), held: [0, 1, 2].map((i) => `mark_${i}2345678901234567890`) },
  ]);
});

test('rule 26: a turn that began since belongs to another end, also where its words are the same', async () => {
  const later = recorded.map((each) =>
    each.replaceAll('T09:11:', 'T09:12:').replaceAll('mark_01m7', 'mark_01m8'),
  );
  write(...recorded.slice(0, 8), ...later);
  expect(await parts(stop)).toMatchObject([{ held: [first] }, { held: [second] }]);
  // A hook that wrote for itself knows its second only.
  const moment = { heardAt: heardAt + 59_000, signal: AbortSignal.timeout(5000) };
  const [, last] = await readTurnParts(stop, place(), moment);
  expect(last).toEqual({ ...stop, held: [second] });
});

test('rule 27: an end is not taken for the one before it that said the same', async () => {
  const turn = (n: number): readonly string[] => [
    line({ type: 'user', ...says(`<signalbox mark_${n}2345678901234567890>`) }),
    line({ type: 'system', subtype: 'ui_telemetry', ...answered(n) }),
    line({ type: 'assistant', uuid: `a${n}`, ...says('Done.') }),
  ];
  const done = told('Done.');
  write(...turn(0));
  expect(await parts(done, AbortSignal.timeout(120))).toEqual([done]);
  write(...turn(0), ...turn(1));
  expect(await parts(done)).toEqual([{ ...done, held: ['mark_12345678901234567890'] }]);
});

test('rule 27: a turn that nobody is known to have begun, or with a damaged line, may have held more', async () => {
  const [asked = '', ...rest] = recorded;
  write(line({ ...JSON.parse(asked), subtype: 'notification' }), ...rest.slice(0, 4));
  const alone = told('The answer is letterb5cef7349e.');
  expect(await parts(alone)).toEqual([alone]);
  write(asked, '{"type":"user', ...rest.slice(0, 4));
  expect(await parts(alone)).toEqual([alone]);
});

function parts(end: TurnNews, signal = AbortSignal.timeout(5000)) {
  return readTurnParts(end, place(), { heardAt, signal });
}

function place() {
  return { conversation, cwd: '/srv/app', env: { HOME: home } };
}

function told(text: string): TurnNews {
  return { session: conversation, id: `${conversation}########1`, outcome: 'completed', text };
}

function write(...lines: readonly (string | undefined)[]): void {
  writeFileSync(chat, `${lines.join('\n')}\n`);
}

const midTurn = { subtype: 'mid_turn_user_message' };

function answered(n: number) {
  const uiEvent = { 'event.name': 'qwen-code.api_response' };
  return { systemPayload: { uiEvent: { ...uiEvent, prompt_id: `${conversation}########${n}` } } };
}

function says(text: string) {
  return { message: { parts: [{ text }] } };
}

function line(record: object): string {
  return JSON.stringify({ timestamp: '2026-11-17T09:11:00.000Z', ...record });
}
