import { expect, test } from 'vitest';
import type { Agent } from '../agents/agent.ts';
import { findWait } from './find-wait.ts';

const agent = { name: 'lead', backend: 'tmux', status: 'idle' } as Agent;
const unsaid = { waitsFor: undefined };
const said = { waitsFor: { code: 'copy-mode' } } as const;

test.each([
  ['another reason counts first', agent, said, true, 'copy-mode'],
  ['a message that wakes nobody may wait for days (rule 30)', agent, unsaid, true, 'wakes-nobody'],
  ['any other is carried at once', agent, unsaid, false, 'just-looked-at'],
  ['no daemon is there to carry it', agent, undefined, true, 'no-daemon'],
  ['one that has exited', { ...agent, status: 'exited' }, said, true, 'recipient-exited'],
  ['one without a terminal takes its own', { ...agent, backend: 'none' }, said, true, undefined],
] as const)('%s', (_, recipient, carrier, isQuiet, code) => {
  expect(findWait(recipient, carrier, { isQuiet })?.code).toBe(code);
});
