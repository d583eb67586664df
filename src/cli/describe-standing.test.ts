import { expect, test } from 'vitest';
import type { AgentView } from '../protocol/agents.ts';
import { describeStanding } from './describe-standing.ts';

const none = { queued: 0, claimed: 0, injected: 0, uncertain: 0, dead: 0 };

function agent(name: string, more: Partial<AgentView> = {}): AgentView {
  return {
    ...{ id: `agt_${name}`, name, session: 's', provider: 'p', backend: 'tmux', epoch: 1 },
    ...{ status: 'idle', source: 'screen', since: '2026-11-18T12:00:00Z', cwd: '/', inbox: none },
    ...more,
  };
}

function debt(to: string, about?: string) {
  const known = about === undefined ? {} : { about };
  return {
    task: 'msg_1',
    to: { id: `agt_${to}`, name: to },
    since: '2026-11-18T12:00:00Z',
    ...known,
  };
}

test('rule 48: status says what an agent owes, who owes it an answer, and what helps', () => {
  const lead = agent('lead', { owes: [debt('user', 'Ship it')], status: 'waiting' });
  const all = [lead, agent('one', { owes: [debt('lead', 'Review'), debt('user')] }), agent('two')];
  expect(describeStanding(lead, all)).toEqual([
    ['owes', 'user: Ship it'],
    ['owed by', 'one: Review'],
    ['what helps', 'answer it: signalbox attach lead'],
  ]);
  expect(describeStanding(agent('two'), all)).toEqual([]);
});

test.each([
  [{ status: 'error' }, 'see why, then tell it to go on: signalbox output a'],
  [{ status: 'exited' }, 'start it again: signalbox restart a'],
  [
    { status: 'exited', inbox: { ...none, queued: 2 } },
    'it has mail or owes an answer: signalbox restart a',
  ],
  [{ status: 'processing' }, undefined],
] as const)('rule 48: what helps: %j', (more, help) => {
  expect(describeStanding(agent('a', more), []).at(-1)?.[1]).toBe(help);
});
