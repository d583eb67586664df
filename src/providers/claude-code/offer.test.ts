import { expect, test } from 'vitest';
import { readCaption, readOffer } from './offer.ts';

const text = 'line "one"\n\\two';

test('rule 19: Stop is continued with context, and a missing stop_hook_active counts as true', () => {
  const offer = readOffer({ event: 'Stop', body: { stop_hook_active: false } });
  expect(offer).toMatchObject({ route: 'turn-boundary', isContinued: false });
  const { stdout = '', exitCode } = offer?.reply(text) ?? { exitCode: -1 };
  const output = { hookEventName: 'Stop', additionalContext: text };
  expect([JSON.parse(stdout), exitCode]).toEqual([{ hookSpecificOutput: output }, 0]);
  expect(readOffer({ event: 'Stop', body: { stop_hook_active: true } })?.isContinued).toBe(true);
  expect(readOffer({ event: 'Stop', body: {} })?.isContinued).toBe(true);
});

test('PostToolUse takes context into the running turn', () => {
  const offer = readOffer({ event: 'PostToolUse', body: { tool_name: 'Bash' } });
  expect(offer?.route).toBe('mid-turn');
  expect(JSON.parse(offer?.reply(text).stdout ?? '')).toEqual({
    hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: text },
  });
});

test('rule 22: the hook that waits says it on stderr and ends with 2', () => {
  const offer = readOffer({ event: 'wait', body: { hook_event_name: 'SessionStart' } });
  expect(offer?.route).toBe('native');
  expect(offer?.reply(text)).toEqual({ stderr: text, exitCode: 2 });
});

test('rule 53: a hook that a change of settings brought is a spare one, and no other is', () => {
  const of = (name: string) => readOffer({ event: 'wait', body: { hook_event_name: name } });
  expect(of('ConfigChange')?.isSpare).toBe(true);
  for (const name of ['SessionStart', 'UserPromptSubmit', 'Stop']) {
    expect(of(name)?.isSpare).toBeUndefined();
  }
});

test.each(['Stop', 'PostToolUse', 'wait'])('rule 38: %s of a sub-agent offers nothing', (event) => {
  expect(readOffer({ event, body: { agent_id: 'a1', stop_hook_active: false } })).toBeUndefined();
});

test.each(['SessionStart', 'UserPromptSubmit', 'StopFailure', 'SubagentStop', 'Notification'])(
  '%s offers nothing',
  (event) => {
    expect(readOffer({ event, body: {} })).toBeUndefined();
  },
);

test('a line for the person stands beside context that the screen does not show', () => {
  const reply = (event: string) => readOffer({ event, body: {} })?.reply(text, 'from lead: look');
  expect(JSON.parse(reply('PostToolUse')?.stdout ?? '')).toEqual({
    systemMessage: 'from lead: look',
    hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: text },
  });
  expect(reply('Stop')?.stdout).not.toContain('systemMessage');
  expect(reply('wait')).toEqual({ stderr: text, exitCode: 2 });
});

test('the prompt that a wake makes shows the person who wrote', () => {
  const show = readCaption({ event: 'UserPromptSubmit', body: { prompt: 'x' } });
  expect(show?.('from lead: look')).toEqual({
    stdout: '{"systemMessage":"from lead: look"}\n',
    exitCode: 0,
  });
  expect(readCaption({ event: 'UserPromptSubmit', body: { agent_id: 'a1' } })).toBeUndefined();
  expect(readCaption({ event: 'Stop', body: {} })).toBeUndefined();
});
