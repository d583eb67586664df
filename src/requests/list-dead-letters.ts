import { isUser } from '../agents/agent.ts';
import { deadLetterQuery } from '../delivery/dead-letters.ts';
import { settleInboxes } from '../fleet/settle-inboxes.ts';
import type { InboxList } from '../protocol/messages.ts';
import { viewList } from '../protocol/views.ts';
import type { Context } from './context.ts';
import { defineRequest } from './define.ts';

/** Messages that could not be delivered: all for the user, its own for an agent. */
export const listDeadLetters = defineRequest(
  async (context: Context, { agent }, { max }: { readonly max: number }): Promise<InboxList> => {
    const { ledger } = context;
    await settleInboxes(context, await ledger.read((tx) => tx.agents.list()));
    const party = isUser(agent) ? {} : { party: agent.id };
    return ledger.read((tx) => viewList(tx, { ...deadLetterQuery, ...party, limit: max }));
  },
);
