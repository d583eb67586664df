import { expect, test } from 'vitest';
import { readHook } from './hooks.ts';

/** Payloads of 0.166.0, shortened. */
const common = {
  session_id: '01a1',
  transcript_path: '/s/rollout.jsonl',
  cwd: '/w',
  turn_id: 't1',
};
const said = { conversation: '01a1', transcriptPath: '/s/rollout.jsonl' };

test.each([
  ['SessionStart', said],
  ['UserPromptSubmit', { ...said, report: { status: 'processing' } }],
  ['PermissionRequest', { ...said, report: { status: 'waiting', detail: 'permission' } }],
  ['Stop', { ...said, report: { status: 'completed' } }],
  ['SessionEnd', undefined],
  ['PreCompact', undefined],
])('%s means %j', (event, meaning) => {
  expect(readHook({ event, body: common })).toEqual(meaning);
});

test('rule 38: what a sub-agent does changes nothing', () => {
  expect(readHook({ event: 'Stop', body: { ...common, agent_id: 'a1' } })).toBeUndefined();
});
