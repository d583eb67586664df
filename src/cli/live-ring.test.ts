import { expect, test } from 'vitest';
import type { AgentView } from '../protocol/agents.ts';
import { see } from './live-ring.ts';

function agent(name: string, more: Partial<AgentView>): AgentView {
  return {
    ...{ id: `agt_${name}`, name, session: 's', provider: 'codex', backend: 'tmux', epoch: 1 },
    ...{ status: 'idle', source: 'screen', since: '2026-01-01T00:00:00.000Z', notify: true },
    ...{ cwd: '/', createdAt: '2026-01-01T00:00:00.000Z' },
    inbox: { queued: 0, claimed: 0, injected: 0, uncertain: 0, dead: 0 },
    ...more,
  } as AgentView;
}

test('rule 41: an agent of which nothing is known just now has not been answered', () => {
  const asks = { status: 'waiting', detail: 'permission', question: 'Proceed?' } as const;
  const { causes, unseen } = see([
    agent('asks', asks),
    agent('lost', { status: 'unknown' }),
    agent('failed', { status: 'error' }),
    agent('calm', {}),
    agent('gone', { status: 'exited' }),
    // One that pulls has no status at all.
    agent('puller', { status: 'unknown', backend: 'none' }),
  ]);
  expect(causes.map(({ kind, text }) => [kind, text])).toEqual([
    ['question', 'Proceed?'],
    ['failed', 'its last turn failed'],
  ]);
  expect([...unseen]).toEqual(['agt_lost']);
});
