import { expect, test } from 'vitest';
import type { AgentView } from '../../protocol/agents.ts';
import { describeAgent } from './status.ts';

const why = 'one line tells it to drain; messages are not pasted into programs without a detector';
const agent: AgentView = {
  ...{ id: 'agt_1', name: 'worker', session: 'default', provider: 'generic', backend: 'tmux' },
  ...{ epoch: 1, status: 'unknown', source: 'none', since: '2026-11-18T12:00:00.000Z', cwd: '/' },
  inbox: { queued: 0, claimed: 0, injected: 0, uncertain: 0, dead: 0 },
  lacks: [{ route: 'paste', why }],
};

test('status breaks its rows between words, as wide as the terminal', () => {
  const lines = describeAgent(agent, [agent], 60).split('\n');
  expect(lines.filter((line) => line.length > 60)).toEqual([]);
  expect(lines.slice(-4, -1)).toEqual([
    '  lacks         paste: one line tells it to drain; messages',
    '                are not pasted into programs without a',
    '                detector',
  ]);
});

test('a pipe gets each row in one line', () => {
  expect(describeAgent(agent, [agent], undefined)).toContain(`  lacks         paste: ${why}\n`);
});
