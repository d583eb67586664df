import { callName } from '../agents/reference.ts';
import type { AgentView } from '../protocol/agents.ts';
import { judgeMessage } from './judge-message.ts';
import { type MessageRow, rowOf } from './line.ts';
import { tellMoment } from './tell-time.ts';
import type { World } from './world.ts';

/** What needs a person, the most pressing kind first. */
export interface AttentionPage {
  /** Agents that ask; the whole questions are fetched when they are shown. */
  readonly asking: readonly Asking[];
  /** Agents that failed or cannot be woken. */
  readonly failing: readonly Failing[];
  /** Messages of the user's own inbox. */
  readonly unread: readonly MessageRow[];
  /** Dead or expired, and not discarded. */
  readonly dead: readonly MessageRow[];
  readonly uncertain: readonly MessageRow[];
  /** What a budget keeps back, and agents whose version nobody has tried. */
  readonly held: readonly Failing[];
  readonly untried: readonly Failing[];
  /** What the tab shows: all but the last two. */
  readonly count: number;
}

interface Asking {
  readonly id: string;
  readonly name: string;
  readonly since: string;
  /** In one line. */
  readonly text: string;
  /** The names of questions that can be answered here, as the status tells them. */
  readonly questions: readonly string[];
  readonly next: string;
}

export interface Failing {
  readonly id: string;
  readonly name: string;
  readonly since: string;
  readonly text: string;
  /** The command that leads there. */
  readonly next: string | undefined;
}

export function viewAttention(world: World, now: number): AttentionPage {
  const items = world.attention.flatMap((item) =>
    item.agent ? [{ ...item, who: item.agent }] : [],
  );
  const asking = items
    .filter(({ kind }) => kind === 'question')
    .map(({ who, since, text, next }) => ({
      ...{ id: who.id, name: callName(who), since, text, next },
      questions: (world.agents.get(who.id)?.questions ?? []).map(({ id }) => id),
    }));
  const failing = items
    .filter(({ kind }) => kind === 'failed' || kind === 'broken')
    .map(({ who, since, text, next }) => ({
      ...{ id: who.id, name: callName(who), since, text, next },
    }));
  const agents = [...world.agents.values()];
  const { unread, dead, uncertain } = sortMessages(world, now);
  return {
    ...{ asking, failing, unread, dead, uncertain },
    held: agents.flatMap(tellHeld),
    untried: agents.flatMap(tellUntried),
    count: asking.length + failing.length + unread.length + dead.length + uncertain.length,
  };
}

type Piles = Pick<AttentionPage, 'unread' | 'dead' | 'uncertain'>;

function sortMessages(world: World, now: number): Piles {
  const piles = { unread: [], dead: [], uncertain: [] } satisfies Record<keyof Piles, MessageRow[]>;
  const into: Record<keyof Piles, MessageRow[]> = piles;
  for (const message of world.messages.values()) {
    const { state, to } = message;
    const faring = judgeMessage(message, now, world.user);
    const isOwn = to.id === world.user;
    if (faring === 'lost') into.dead.push(rowOf(message, faring));
    else if (isOwn && (state === 'queued' || state === 'uncertain')) {
      into.unread.push(rowOf(message, faring));
    } else if (state === 'uncertain') into.uncertain.push(rowOf(message, faring));
  }
  const oldest = (a: MessageRow, b: MessageRow): number => (a.createdAt < b.createdAt ? -1 : 1);
  for (const pile of Object.values(into)) pile.sort(oldest);
  return into;
}

function tellHeld(agent: AgentView): readonly Failing[] {
  const { held, id, since } = agent;
  if (!held) return [];
  const text = `${held.why}; it goes on at ${tellMoment(held.until)}`;
  return [{ id, name: callName(agent), since, text, next: undefined }];
}

function tellUntried(agent: AgentView): readonly Failing[] {
  const { versionWarning, id, since } = agent;
  if (!versionWarning) return [];
  const { what, next } = versionWarning;
  return [{ id, name: callName(agent), since, text: what, next }];
}
