import { isUser } from '../agents/agent.ts';
import { callName } from '../agents/reference.ts';
import type { AgentView } from '../protocol/agents.ts';
import type { AttentionDocument } from '../protocol/printed.ts';
import { judgeAgent } from './cause.ts';

type Item = AttentionDocument['items'][number];

/** A number of messages, with the time of the oldest. */
export interface Pile {
  readonly count: number;
  readonly since: string | undefined;
}

/**
 * What needs a person, oldest first: agents that ask, that failed or that no message reaches; what
 * is unread in the inbox of whoever asks, and dead letters.
 */
export function gatherAttention(
  agents: readonly AgentView[],
  unread: Pile,
  dead: Pile,
): readonly Item[] {
  const items = [
    ...agents.filter((agent) => !isUser(agent)).flatMap((agent) => judge(agent, callName(agent))),
    ...pile('unread', unread, 'signalbox inbox drain'),
    ...pile('dead-letters', dead, 'signalbox dead-letters list'),
  ];
  return items.toSorted((a, b) => Date.parse(a.since) - Date.parse(b.since));
}

function judge(agent: AgentView, called: string): readonly Item[] {
  const { id, name, session, namesakes, since, broken } = agent;
  const who = { agent: { id, name, session, ...(namesakes ? { namesakes } : {}) }, since };
  const cause = judgeAgent({ ...agent, name: called, since: Date.parse(since) });
  if (cause) return [{ kind: cause.kind, ...who, text: cause.text, next: cause.next }];
  if (broken !== undefined) {
    return [{ kind: 'broken', ...who, text: broken, next: `signalbox status ${called}` }];
  }
  return [];
}

function pile(kind: 'unread' | 'dead-letters', { count, since }: Pile, next: string): Item[] {
  if (count === 0 || since === undefined) return [];
  const what = kind === 'unread' ? 'unread in your inbox' : 'could not be delivered';
  return [{ kind, since, text: `${count} ${count === 1 ? 'message' : 'messages'} ${what}`, next }];
}
