import { type Agent, userAgentId } from '../../agents/agent.ts';
import { gatherAttention, type Pile } from '../../attention/gather.ts';
import { deadLetterQuery } from '../../delivery/dead-letters.ts';
import type { Brief } from '../../messages/change-store.ts';
import type { MessageQuery } from '../../messages/message-store.ts';
import { isSettled } from '../../messages/transitions.ts';
import type { AgentView } from '../../protocol/agents.ts';
import type { PageMessage } from '../../protocol/page.ts';
import type { AttentionDocument } from '../../protocol/printed.ts';
import { viewWait } from '../../protocol/view-wait.ts';
import { toIso, viewMessages } from '../../protocol/views.ts';
import { revealLine } from '../../shared/reveal.ts';
import type { LedgerTransaction } from '../../store/ledger.ts';
import type { LiveContext } from '../context.ts';
import { findOpenWait } from './find-open-wait.ts';

/** What the page in the browser shows, from the rows of the ledger. */

/** Of a text in a list, in characters. */
const firstLength = 120;

/** `cursor`: the number of the change up to which this is known. */
export async function viewPageMessages(
  context: LiveContext,
  tx: LedgerTransaction,
  briefs: readonly Brief[],
  cursor: number,
): Promise<readonly PageMessage[]> {
  const views = await viewMessages(
    tx,
    briefs.map(({ message }) => message),
  );
  const recipients = await findRecipients(tx, briefs);
  return briefs.flatMap(({ message, changedAt, debt }, i) => {
    const view = views[i];
    if (!view) return [];
    const recipient = recipients.get(message.to);
    const wait =
      recipient && !isSettled(message.state)
        ? findOpenWait(context, message, recipient, false)
        : undefined;
    return [
      {
        ...{ id: view.id, short: view.short ?? view.id, kind: view.kind },
        ...{ from: view.from, to: view.to, state: view.state, urgent: view.urgent },
        ...{ standing: view.standing, createdAt: view.createdAt, changedAt: toIso(changedAt) },
        first: cutFirst(message.body),
        ...(debt === undefined ? {} : { task: debt }),
        ...viewWait(wait),
        ...(view.reason === undefined ? {} : { reason: view.reason }),
        ...(message.discardedAt === undefined ? {} : { discarded: true as const }),
        cursor,
      },
    ];
  });
}

async function findRecipients(
  tx: LedgerTransaction,
  briefs: readonly Brief[],
): Promise<ReadonlyMap<string, Agent>> {
  const open = briefs.filter(({ message }) => !isSettled(message.state));
  const found = new Map<string, Agent>();
  for (const id of new Set(open.map(({ message }) => message.to))) {
    const agent = await tx.agents.find(id);
    if (agent) found.set(id, agent);
  }
  return found;
}

/** One line, with what hides in it shown: the page writes it as text, and people read it. */
function cutFirst(body: string): string {
  const characters = [...revealLine(body.slice(0, 4 * firstLength))];
  if (characters.length <= firstLength) return characters.join('');
  return `${characters.slice(0, firstLength - 1).join('')}…`;
}

/** As `signalbox attention` has it, for the user. */
export async function viewAttention(
  tx: LedgerTransaction,
  agents: readonly AgentView[],
): Promise<AttentionDocument> {
  const unread = { to: userAgentId, states: ['queued', 'uncertain'] } as const;
  const items = gatherAttention(
    agents,
    await countPile(tx, unread),
    await countPile(tx, deadLetterQuery),
  );
  return { items };
}

async function countPile(tx: LedgerTransaction, query: Omit<MessageQuery, 'limit'>): Promise<Pile> {
  const [oldest] = await tx.messages.list({ ...query, limit: 1 });
  if (!oldest) return { count: 0, since: undefined };
  return { count: await tx.messages.count({ ...query, limit: 1 }), since: toIso(oldest.createdAt) };
}
