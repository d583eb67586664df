import { expect, test } from 'vitest';
import { userAgentId } from '../agents/agent.ts';
import { gatherAttention } from '../attention/gather.ts';
import type { AgentView } from '../protocol/agents.ts';
import { formatStatusLine } from './status-line.ts';

const inbox = { queued: 0, claimed: 0, injected: 0, uncertain: 0, dead: 0 };
const none = { count: 0, since: undefined };

function agent(name: string, more: Partial<AgentView>): AgentView {
  return {
    ...{ id: `agt_${name}`, name, session: 's', provider: 'p', backend: 'tmux', epoch: 1 },
    ...{ status: 'idle', source: 'screen', since: '2026-11-18T12:00:00Z', cwd: '/', inbox },
    ...more,
  };
}

const asking = { status: 'waiting', detail: 'permission', question: 'Proceed?' } as const;

test('rule 48: attention lists what needs a person, oldest first, with the question', () => {
  const items = gatherAttention(
    [
      agent('idle', {}),
      agent('new', { ...asking, since: '2026-11-18T12:00:09Z' }),
      agent('old', { status: 'waiting', detail: 'trust', since: '2026-11-18T12:00:01Z' }),
      agent('bad', { status: 'error', detail: 'api', since: '2026-11-18T12:00:05Z' }),
      agent('deaf', { broken: 'its hook was killed', since: '2026-11-18T12:00:07Z' }),
      agent('user', { id: userAgentId, ...asking }),
    ],
    { count: 2, since: '2026-11-18T12:00:03Z' },
    { count: 1, since: '2026-11-18T12:00:04Z' },
  );
  expect(items.map(({ kind, agent: who, text, next }) => [kind, who?.name, text, next])).toEqual([
    ['question', 'old', 'trust this folder?', 'signalbox attach old'],
    ['unread', undefined, '2 messages unread in your inbox', 'signalbox inbox drain'],
    ['dead-letters', undefined, '1 message could not be delivered', 'signalbox dead-letters list'],
    ['failed', 'bad', 'its last turn failed (api)', 'signalbox output bad'],
    ['broken', 'deaf', 'its hook was killed', 'signalbox status deaf'],
    ['question', 'new', 'Proceed?', 'signalbox attach new'],
  ]);
  expect(formatStatusLine(items)).toBe('old, new wait for you · bad failed · 2 unread');
});

test('a status bar has nothing to say when nothing needs anybody, and a name starts no style', () => {
  expect(formatStatusLine(gatherAttention([agent('idle', {})], none, none))).toBe('');
  const [item] = [gatherAttention([agent('a#[fg=red]', asking)], none, none)];
  expect(formatStatusLine(item ?? [])).toBe('a##[fg=red] waits for you');
});
