import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readAnswer, readLastAnswer } from '../../src/providers/claude-code/answer.ts';
import { readRollout } from '../../src/providers/codex/rollout.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { tempHome } from '../support/home.ts';

const signal = AbortSignal.timeout(60_000);
const mebibyte = 1024 * 1024;
const answered = (text: string) => ({ kind: 'answer', text, isPartial: false });

/** The records that make a turn, per CLI, as Claude Code 2.1.325 and Codex 0.166.0 write them. */
const transcripts = [
  {
    name: 'claude-code',
    read: readAnswer,
    prompt: { type: 'user', message: { role: 'user', content: 'go' } },
    work: (text: string) => ({
      type: 'user',
      message: { role: 'user', content: [{ type: 'tool_result', content: text }] },
    }),
    answer: (text: string) => ({
      type: 'assistant',
      message: { id: 'msg_1', content: [{ type: 'text', text }], stop_reason: 'end_turn' },
    }),
    end: { type: 'system', subtype: 'turn_duration' },
  },
  {
    name: 'codex',
    read: readRollout,
    prompt: { type: 'event_msg', payload: { type: 'task_started' } },
    work: (text: string) => ({
      type: 'response_item',
      payload: { type: 'function_call_output', output: text },
    }),
    answer: (text: string) => ({
      type: 'event_msg',
      payload: { type: 'task_complete', last_agent_message: text },
    }),
    end: { type: 'event_msg', payload: { type: 'task_complete', last_agent_message: null } },
  },
] as const;

test.each(transcripts)(
  '$name: an answer of 1 MB is whole, behind a line of 16 MB (B15, E5, O5)',
  async ({ read, prompt, work, answer }) => {
    const text = 'ü'.repeat(mebibyte / 2);
    const path = write([prompt, work('y'.repeat(16 * mebibyte)), answer(text)]);
    expect(await read(path, signal)).toEqual(answered(text));
  },
);

test.each(transcripts)(
  '$name: the end of a transcript of 200 MB is found, also when its last turn is all of it',
  async ({ read, prompt, work, answer, end }) => {
    const before = process.memoryUsage().arrayBuffers;
    const result = `${JSON.stringify(work('z'.repeat(mebibyte)))}\n`;
    const path = write([prompt, answer('old'), prompt]);
    for (let n = 0; n < 200; n++) appendFileSync(path, result);
    appendFileSync(path, `${JSON.stringify(end)}\n`);
    let most = 0;
    const watching = setInterval(() => {
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    }, 1);
    onTestFinished(() => clearInterval(watching));
    expect(await read(path, signal)).toEqual({ kind: 'no-response' });
    clearInterval(watching);
    expect(most).toBeLessThan(100 * mebibyte);
    appendFileSync(path, `${JSON.stringify(prompt)}\n${JSON.stringify(answer('last'))}\n`);
    expect(await read(path, signal)).toEqual(answered('last'));
  },
);

test('claude-code: right after it came to rest the batch with its answer is awaited', async () => {
  const [claude] = transcripts;
  const config = tempHome();
  const project = join(config, 'projects', '-srv-app');
  mkdirSync(project, { recursive: true });
  mkdirSync(join(config, 'sessions'));
  const transcript = join(project, 'c0ffee.jsonl');
  const line = (record: object): string => `${JSON.stringify(record)}\n`;
  writeFileSync(transcript, line(claude.prompt) + line(claude.answer('old')) + line(claude.end));
  utimesSync(transcript, 1, 1);
  const rest = (statusUpdatedAt: number): void =>
    writeFileSync(
      join(config, 'sessions', '77.json'),
      JSON.stringify({ status: 'idle', statusUpdatedAt }),
    );
  const context = {
    agent: 'agt_1',
    pid: 77,
    cwd: '/srv/app',
    runFolder: '/run',
    conversation: 'c0ffee',
    startedAt: 0,
    version: '2.1.325',
    env: { CLAUDE_CONFIG_DIR: config },
  };
  rest(1);
  expect(await readLastAnswer(context, signal)).toEqual(answered('old'));
  // A rest that stays fresh for as long as this test may take.
  const restedAt = systemClock.now() + 3_600_000;
  rest(restedAt);
  const asking = readLastAnswer(context, signal);
  appendFileSync(transcript, line(claude.prompt) + line(claude.answer('new')) + line(claude.end));
  utimesSync(transcript, restedAt / 1000, restedAt / 1000 + 1);
  expect(await asking).toEqual(answered('new'));
});

function write(records: readonly object[]): string {
  const path = join(tempHome(), 'transcript.jsonl');
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  return path;
}
