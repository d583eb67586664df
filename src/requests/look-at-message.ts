import type { MessageView } from '../protocol/messages.ts';
import { viewMessage } from '../protocol/views.ts';
import type { Context } from './context.ts';
import { defineRequest } from './define.ts';
import { findMessage } from './parts/find-message.ts';

/** One message, to look at: nothing is handed out (`show-message.ts` does that). */
export const lookAtMessage = defineRequest(
  async (context: Context, caller, { id }: { readonly id: string }): Promise<MessageView> => {
    const message = await findMessage(context, caller, id);
    return context.ledger.read((tx) => viewMessage(tx, message));
  },
);
