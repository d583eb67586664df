import type { AgentName, AgentView } from '../../src/protocol/agents.ts';
import type { PageMessage, PageSnapshot } from '../../src/protocol/page.ts';
import { openWorld, type World } from '../../src/views/world.ts';

/** What a page is told, for the tests of its views. */

export const noon = Date.parse('2026-11-19T12:00:00.000Z');

/** So many seconds before noon. */
export function ago(seconds: number): string {
  return new Date(noon - seconds * 1000).toISOString();
}

export const userName: AgentName = { id: 'agt_user', name: 'user', session: 'default' };

export function nameOf(name: string, session = 'shop'): AgentName {
  return { id: `agt_${name}`, name, session };
}

export function agentOf(name: string, more: Partial<AgentView> = {}): AgentView {
  return {
    ...{ id: `agt_${name}`, name, session: 'shop', provider: 'claude-code', backend: 'tmux' },
    ...{ epoch: 1, status: 'idle', source: 'hook', since: ago(60), cwd: '/work' },
    inbox: { queued: 0, claimed: 0, injected: 0, uncertain: 0, dead: 0 },
    ...more,
  };
}

export function messageOf(id: string, more: Partial<PageMessage> = {}): PageMessage {
  return {
    ...{ id: `msg_${id}`, short: `lead:${id}`, kind: 'message', state: 'seen', urgent: false },
    ...{ from: userName, to: nameOf('lead'), standing: 'prompt', first: 'some words' },
    ...{ createdAt: ago(30), changedAt: ago(20), cursor: 1 },
    ...more,
  };
}

export function snapshotOf(more: Partial<PageSnapshot> = {}): PageSnapshot {
  return {
    ...{ cursor: 10, at: ago(0), daemon: { version: '1.0.0', startedAt: ago(3600) } },
    ...{ readOnly: false, user: userName.id, agents: [], messages: [], omitted: 0 },
    attention: { items: [] },
    ...more,
  };
}

export function worldOf(more: Partial<PageSnapshot> = {}): World {
  return openWorld(snapshotOf(more));
}
