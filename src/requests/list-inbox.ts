import type { MessageState } from '../messages/message.ts';
import type { InboxList } from '../protocol/messages.ts';
import { viewList } from '../protocol/views.ts';
import type { Context } from './context.ts';
import { defineRequest } from './define.ts';
import { findInbox } from './parts/own-inbox.ts';

export interface ListWish {
  /** By default the caller. */
  readonly agent?: string | undefined;
  readonly states: readonly MessageState[];
  readonly max: number;
}

/** Looks into an inbox and takes nothing. */
export const listInbox = defineRequest(
  async (context: Context, caller, { agent, states, max }: ListWish): Promise<InboxList> => {
    const { id } = await findInbox(context, caller, agent, 'list the inbox');
    return context.ledger.read((tx) => viewList(tx, { to: id, states, limit: max }));
  },
);
