import { userAgentId } from '../agents/agent.ts';
import { requirePerson } from '../fleet/permissions.ts';
import type { PageSnapshot } from '../protocol/page.ts';
import { toIso } from '../protocol/views.ts';
import type { LiveContext } from './context.ts';
import { defineRequest } from './define.ts';
import { listAgents } from './list-agents.ts';
import { viewAttention, viewPageMessages } from './parts/page-views.ts';

/** What has ended goes from the list after so long, and there are never more. */
const recentMs = 3_600_000;
const mostMessages = 2000;

export interface ShowPageWish {
  readonly daemon: PageSnapshot['daemon'];
  readonly readOnly: boolean;
}

/**
 * Everything that the page shows, as it is now. Whoever follows from its cursor misses nothing: the
 * messages are read in one look with it, and the agents later.
 */
export const showPage = defineRequest(
  async (context: LiveContext, caller, wish: ShowPageWish): Promise<PageSnapshot> => {
    requirePerson(caller, 'open the dashboard');
    const { ledger, surroundings } = context;
    const now = surroundings.clock.now();
    const since = now - recentMs;
    const { cursor, messages, omitted } = await ledger.read(async (tx) => {
      const tip = await tx.changes.newest();
      const briefs = await tx.changes.listRecent(since, mostMessages);
      const all =
        briefs.length < mostMessages ? briefs.length : await tx.changes.countRecent(since);
      const messages = await viewPageMessages(context, tx, briefs, tip);
      return { cursor: tip, messages, omitted: Math.max(0, all - briefs.length) };
    });
    const { agents } = await listAgents(context, caller, {});
    const attention = await ledger.read((tx) => viewAttention(tx, agents));
    const { daemon, readOnly } = wish;
    const user = userAgentId;
    return { cursor, at: toIso(now), daemon, readOnly, user, agents, messages, omitted, attention };
  },
);
