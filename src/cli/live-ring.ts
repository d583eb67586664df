import { isUser, signalbox } from '../agents/agent.ts';
import { callName } from '../agents/reference.ts';
import { judgeAgent } from '../attention/cause.ts';
import { decide } from '../attention/decide.ts';
import { markTold, type Open, remember, type Sight } from '../attention/remember.ts';
import { describeInLine } from '../attention/words.ts';
import type { AgentView } from '../protocol/agents.ts';
import type { EventView } from '../protocol/events.ts';
import { systemClock } from '../shared/clock.ts';
import { Ring } from './ring.ts';
import type { Change } from './watch-changes.ts';

/**
 * Rings for what comes to need a person while somebody has a live view open. At its first look
 * nothing rings: whoever opens the view sees it.
 */
export class LiveRing {
  readonly #ring: Ring;
  #open: readonly Open[] | undefined;

  constructor(isScripted: boolean) {
    this.#ring = new Ring(1, isScripted);
  }

  /** `change`: what made us look. */
  take(agents: readonly AgentView[], caller: string, change?: Change): void {
    const at = { now: systemClock.now(), monotonicMs: systemClock.monotonicMs() };
    const isFirst = this.#open === undefined;
    const { open } = remember(this.#open ?? [], see(agents), at);
    const due = decide(open, at, ['ring']).tell.flatMap((told) => told.open);
    this.#open = markTold(open, due, 'ring');
    const news = due.map(({ cause }) => cause);
    if (isFirst) return;
    if (news.length > 0) void this.#ring.ring(describeInLine(news));
    else if (change && change !== 'time' && isMailFor(caller, change)) {
      void this.#ring.ring(describeMail(agents, change));
    }
  }
}

/** What needs a person, and of which agents nobody can tell just now. */
export function see(agents: readonly AgentView[]): Sight {
  const all = agents.filter((agent) => !isUser(agent));
  const unseen = all.filter(({ status, backend }) => status === 'unknown' && backend !== 'none');
  return { causes: all.flatMap(judge), unseen: new Set(unseen.map(({ id }) => id)) };
}

function judge({ since, humanTypedAt, ...agent }: AgentView) {
  const typedAt = humanTypedAt === undefined ? undefined : Date.parse(humanTypedAt);
  const cause = judgeAgent({ ...agent, name: callName(agent), since: Date.parse(since), typedAt });
  return cause ? [cause] : [];
}

/** What signalbox writes is about something that has rung; what the user writes is no news. */
function isMailFor(caller: string, { topic, data }: EventView): boolean {
  const isQueued = topic.startsWith('message.') && topic.endsWith('.queued');
  const isNews = data['from'] !== signalbox.id && data['from'] !== caller;
  return isQueued && data['to'] === caller && isNews;
}

function describeMail(agents: readonly AgentView[], { data }: EventView): string {
  const sender = agents.find(({ id }) => id === data['from']);
  return sender ? `${callName(sender)} wrote to you` : 'a message for you';
}
