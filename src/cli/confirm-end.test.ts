import { expect, test } from 'vitest';
import type { AgentView } from '../protocol/agents.ts';
import { describeLoss } from './confirm-end.ts';

const agent: AgentView = {
  ...{ id: 'agt_1', name: 'worker', session: 'default', provider: 'codex', backend: 'tmux' },
  ...{
    epoch: 1,
    status: 'processing',
    source: 'hook',
    since: '2026-11-18T12:00:00.000Z',
    cwd: '/',
  },
  inbox: { queued: 0, claimed: 0, injected: 0, uncertain: 0, dead: 0 },
  worktree: { path: '/w/1', branch: 'signalbox/worker', repository: '/r', base: 'abc' },
  owes: [
    {
      ...{ task: 'msg_1', about: 'Write the tests', since: '2026-11-18T12:00:00.000Z' },
      to: { id: 'agt_2', name: 'lead' },
    },
  ],
};

test('before a removal it is said that the worktree, the branch and the debts go', () => {
  expect(describeLoss(agent, 'remove')).toEqual([
    'worker is at work',
    '  its worktree /w/1 goes, and its branch signalbox/worker, unless work in them would be lost',
    '  it will not answer a task of lead: Write the tests',
  ]);
});

test('before a restart it is said that the turn is broken off, and that debts stay', () => {
  const waiting = { ...agent, status: 'waiting', detail: 'trust' } as const;
  expect(describeLoss(waiting, 'restart')).toEqual([
    'worker asks you something: trust this folder?; a restart breaks off its turn',
    '  it still owes a task of lead: Write the tests',
  ]);
});
