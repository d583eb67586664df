import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../../test/support/home.ts';
import type { AgentContext } from '../provider.ts';
import { cutLastAnswer, readAnswer, readLastAnswer } from './answer.ts';

/** Records of 2.1.325, reduced to what counts. */
const prompt = (text: string) => ({ type: 'user', message: { role: 'user', content: text } });
const said = (id: string, text: string, stop = 'end_turn') => ({
  type: 'assistant',
  message: { id, model: 'claude-opus-5-5', content: [{ type: 'text', text }], stop_reason: stop },
});
const called = (id: string) => ({
  type: 'assistant',
  message: { id, content: [{ type: 'tool_use', name: 'Bash' }], stop_reason: 'tool_use' },
});
const result = (text = 'ok') => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', content: text }] },
});
const ended = { type: 'system', subtype: 'turn_duration', durationMs: 12 };
const interrupted = {
  type: 'user',
  message: { role: 'user', content: [{ type: 'text', text: '[Request interrupted by user]' }] },
};
const failed = {
  type: 'assistant',
  isApiErrorMessage: true,
  message: { id: 'x', model: '<synthetic>', content: [{ type: 'text', text: 'API Error: 401' }] },
};
const complete = (text: string) => ({ kind: 'answer', text, isPartial: false });
const earlier = (text: string) => ({ ...complete(text), isEarlier: true });
const signal = AbortSignal.timeout(60_000);

test.each([
  ['the last message of the turn', [prompt('a'), said('1', 'one'), ended], complete('one')],
  [
    'what came after the tools, not before',
    [prompt('a'), said('1', 'let me look', 'tool_use'), called('1'), result(), said('2', 'two')],
    complete('two'),
  ],
  [
    'all blocks of one message',
    [prompt('a'), said('1', 'one, '), said('1', 'two'), ended],
    complete('one, two'),
  ],
  [
    'the answer before a turn that has said nothing yet',
    [prompt('a'), said('1', 'one'), ended, prompt('b'), called('2')],
    earlier('one'),
  ],
  [
    'the answer before a prompt that was taken back',
    [prompt('a'), said('1', 'one'), ended, prompt('b')],
    earlier('one'),
  ],
  [
    'what was said before it was interrupted',
    [prompt('a'), said('1', 'on', 'x'), interrupted],
    complete('on'),
  ],
  [
    'words of a turn that goes on, as partial (B15)',
    [prompt('a'), said('1', 'let me look', 'tool_use'), called('1')],
    { kind: 'answer', text: 'let me look', isPartial: true },
  ],
  [
    'no response of a turn without text (B15)',
    [prompt('a'), called('1'), result(), ended],
    { kind: 'no-response' },
  ],
  [
    'no response of a turn that failed',
    [prompt('a'), said('1', 'old'), ended, prompt('b'), failed, ended],
    { kind: 'no-response' },
  ],
  ['nothing of a conversation without a turn', [{ type: 'mode', mode: 'normal' }], undefined],
  [
    'nothing of sub-agents and local commands',
    [
      prompt('a'),
      said('1', 'one'),
      ended,
      { ...said('9', 'sub'), isSidechain: true },
      prompt('<local-command-stdout>x</local-command-stdout>'),
    ],
    complete('one'),
  ],
])('the transcript gives %s', async (_, records, answer) => {
  expect(await readAnswer(write(records), signal)).toEqual(answer);
});

test('O5: a corrupt line is passed over, and what stands beside it in the turn is partial', async () => {
  const path = write([prompt('a'), said('1', 'one'), '{"type":"assistant","mess', ended]);
  expect(await readAnswer(path, signal)).toEqual({ kind: 'answer', text: 'one', isPartial: true });
  const before = write([prompt('x'), '{"type":"user",', prompt('a'), said('1', 'one'), ended]);
  expect(await readAnswer(before, signal)).toEqual(complete('one'));
});

test('the transcript is found by its conversation, in whichever folder and CLAUDE_CONFIG_DIR', async () => {
  const config = tempHome();
  const context: AgentContext = {
    agent: 'agt_1',
    pid: 1,
    cwd: '/srv/app/a.b',
    runFolder: '/run',
    conversation: 'c0ffee',
    startedAt: 0,
    version: '2.1.325',
    env: { HOME: '/nowhere', CLAUDE_CONFIG_DIR: config },
  };
  expect(await readLastAnswer(context, signal)).toBeUndefined();
  const folder = join(config, 'projects', '-elsewhere');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'c0ffee.jsonl'), lines([prompt('a'), said('1', 'one')]));
  expect(await readLastAnswer(context, signal)).toEqual(complete('one'));
  expect(
    await readLastAnswer({ ...context, conversation: '../-elsewhere/c0ffee' }, signal),
  ).toBeUndefined();
  expect(await readLastAnswer({ ...context, conversation: undefined }, signal)).toBeUndefined();
});

const footer = `
✻ Brewed for 3s · done 1:04 PM
${'─'.repeat(40)}
❯ 
${'─'.repeat(40)}
  ⏸ manual mode on · ? for shortcuts`;

test('without a transcript the last block after the last prompt is cut from the screen', () => {
  const turn = '❯ do it\n\n● let me look\n\n  Ran 1 shell command\n\n● it is done\n\n  and more\n';
  expect(cutLastAnswer(turn + footer)).toEqual(
    complete('it is done\n\n  and more'.replace('  ', '')),
  );
  expect(cutLastAnswer(`  and more\n● it is done\n${footer}`)).toEqual({
    kind: 'answer',
    text: 'it is done',
    isPartial: true,
  });
  expect(cutLastAnswer(`● old\n❯ do it\n${footer}`)).toEqual({ kind: 'no-response' });
  expect(cutLastAnswer(footer)).toBeUndefined();
});

test('an answer that is still being written is partial, and a tool is no answer', () => {
  const busy = '\n✻ Pondering… (3s · esc to interrupt)\n';
  expect(cutLastAnswer(`❯ do it\n● word1 word2${busy}`)).toEqual({
    kind: 'answer',
    text: 'word1 word2',
    isPartial: true,
  });
  expect(cutLastAnswer('❯ do it\n● look\n\n  Running touch a\n  ⎿  $ touch a\n')).toEqual(
    complete('look'),
  );
  expect(cutLastAnswer('❯ do it\n● Bash(touch a)\n  ⎿  $ touch a\n')).toEqual({
    kind: 'no-response',
  });
});

function write(records: readonly unknown[]): string {
  const path = join(tempHome(), 'transcript.jsonl');
  writeFileSync(path, lines(records));
  return path;
}

function lines(records: readonly unknown[]): string {
  const text = records.map((record) =>
    typeof record === 'string' ? record : JSON.stringify(record),
  );
  return `${text.join('\n')}\n`;
}
