import { type Agent, isUser } from '../agents/agent.ts';
import { callName } from '../agents/reference.ts';
import { findHold } from '../delivery/find-hold.ts';
import type { WaitingInbox } from '../protocol/doctor.ts';
import type { Explanation } from '../protocol/messages.ts';
import { tellNext } from '../protocol/next-step.ts';
import { nameView } from '../protocol/views.ts';
import { formatSpan } from '../shared/units.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import type { DirectContext } from './direct/context.ts';

/** With a healthy model and nobody in the way no message is open for longer (rule 42). */
const openMs = 3 * 60_000;

/**
 * Inboxes in which something has been open for 3 minutes, each with the words by which `explain`
 * says what it waits for; and those that a budget holds back, however short a time (rule 21). The
 * user's own inbox is left out: the user reads when it suits.
 */
export async function findWaiting(
  context: Pick<DirectContext, 'ledger' | 'surroundings' | 'budgets'>,
  agents: readonly Agent[],
  explain: (message: string) => Promise<Explanation>,
): Promise<readonly WaitingInbox[]> {
  const found: WaitingInbox[] = [];
  const given = { limits: context.budgets, now: context.surroundings.clock.now() };
  for (const agent of agents) {
    if (isUser(agent)) continue;
    const { oldest, hold } = await context.ledger.read(async (tx) => ({
      oldest: await findOldest(tx, agent.id),
      hold: await findHold(tx, agent.id, given),
    }));
    if (oldest === undefined) continue;
    const story = await explain(oldest);
    const since = openSince(story);
    const openForMs = context.surroundings.clock.now() - Date.parse(since);
    const until = hold && new Date(hold.until).toISOString();
    if (openForMs < openMs && until === undefined) continue;
    const why = tellNext(story).join(' ');
    found.push({
      agent: nameView(agent),
      message: oldest,
      since,
      ...(until === undefined ? {} : { until }),
      what: `The oldest message for "${callName(agent)}" has been open for ${formatSpan(Math.max(0, openForMs))}. ${why}`,
      next: `See \`signalbox explain ${oldest}\`.`,
    });
  }
  return found;
}

/** What is sent on a route without proof is at its end, and not open (rule 8). */
async function findOldest(tx: LedgerTransaction, to: string): Promise<string | undefined> {
  const states = ['queued', 'claimed', 'uncertain'] as const;
  const [first] = await tx.messages.list({ to, states, limit: 1 });
  const unproven = await tx.claims.listUnproven(to);
  const injected = await Promise.all(
    unproven.map((claim) => tx.claims.listCarried(claim, 'injected')),
  );
  const open = [...(first ? [first] : []), ...injected.flat()];
  return open.sort((a, b) => a.seq - b.seq)[0]?.id;
}

/** A person may have put it back long after it was sent. */
function openSince({ message, history }: Explanation): string {
  const back = history.findLast(({ from }) => from === 'dead' || from === 'expired');
  return back?.at ?? message.createdAt;
}
