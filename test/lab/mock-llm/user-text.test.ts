import { expect, test } from 'vitest';
import type { Entry } from './conversation.ts';
import { readTurn, realText } from './user-text.ts';

test.each([
  ['Claude Code', '<system-reminder>\nBe brief.\n</system-reminder>\n\n@@say a'],
  [
    'Copilot',
    '<current_datetime>2026-01-01</current_datetime>\n\n@@say a\n\n<reminder>x</reminder>',
  ],
  ['Codex', '<environment_context>\n<cwd>/w</cwd>\n</environment_context>@@say a'],
  ['Gemini', '@@say a<hook_context>from a hook</hook_context>'],
])('what %s wraps round a prompt is taken off', (_name, text) => {
  expect(realText(text)).toBe('@@say a');
});

test('what is typed during a tool call is a user text of its own', () => {
  const told =
    'The user sent a new message while you were working:\n@@say b\n\nThis is how Claude Code surfaces messages the user sends mid-turn.';
  expect(realText(told)).toBe('@@say b');
  expect(realText(`<system-reminder>\n${told}\n</system-reminder>`)).toBe('@@say b');
});

test('the newest real text counts, with the calls made since', () => {
  const entries: Entry[] = [
    { kind: 'user', text: '@@say old' },
    { kind: 'assistant' },
    { kind: 'user', text: '@@tool ls @@say new' },
    { kind: 'call' },
    { kind: 'result', text: 'a b c' },
    { kind: 'user', text: '<system-reminder>the list is empty</system-reminder>' },
  ];
  expect(turnOf(entries)).toMatchObject({ text: '@@tool ls @@say new', callsSince: 1 });
  expect(turnOf(entries).unanswered).toEqual([]);
});

test('a wake-up that consists of a reminder alone is a turn of its own', () => {
  const wake =
    '<system-reminder>\n[SYSTEM NOTIFICATION]\n<task-notification>\n</task-notification>\n@@say woken\n</system-reminder>';
  const entries: Entry[] = [
    { kind: 'user', text: '@@say old' },
    { kind: 'assistant' },
    { kind: 'user', text: wake },
  ];
  expect(turnOf(entries).text).toContain('@@say woken');
  expect(turnOf(entries).text).not.toContain('old');
});

test('a conversation may begin with a wake-up', () => {
  const entries: Entry[] = [
    { kind: 'user', text: '<system-reminder>the rules of the house</system-reminder>' },
    { kind: 'user', text: '<system-reminder>\n@@say woken\n</system-reminder>' },
  ];
  expect(turnOf(entries).text).toBe('@@say woken');
  const called: Entry[] = [...entries, { kind: 'call' }, { kind: 'result', text: 'done' }];
  expect(turnOf(called)).toMatchObject({ text: '@@say woken', callsSince: 1 });
});

test('what was said before the newest text and never answered is told', () => {
  const entries: Entry[] = [
    { kind: 'user', text: '@@say old' },
    { kind: 'assistant' },
    { kind: 'user', text: '<system-reminder>the rules</system-reminder>' },
    { kind: 'user', text: '@@play task' },
    { kind: 'user', text: '@@say new' },
  ];
  expect(turnOf(entries)).toMatchObject({ text: '@@say new', unanswered: ['@@play task'] });
});

test('a reminder behind the first prompt is no wake-up', () => {
  const entries: Entry[] = [
    { kind: 'user', text: '@@say hello' },
    { kind: 'user', text: '<system-reminder>the rules of the house</system-reminder>' },
  ];
  expect(turnOf(entries).text).toBe('@@say hello');
});

function turnOf(entries: readonly Entry[]): ReturnType<typeof readTurn> {
  return readTurn({ model: 'm', isStream: true, tools: [], entries });
}
