import { discard } from '../delivery/dead-letters.ts';
import type { MessageView } from '../protocol/messages.ts';
import type { Context } from './context.ts';
import { defineRequest } from './define.ts';
import { changeDeadLetter, notDead } from './parts/change-dead-letter.ts';

/** Takes a dead letter out of the lists; its history stays. For the user alone. */
export const discardDeadLetter = defineRequest(
  (context: Context, caller, { id }: { readonly id: string }): Promise<MessageView> =>
    changeDeadLetter(context, caller, {
      id,
      what: 'discard a dead letter',
      apply: async (tx, now, message) => {
        if ((await discard(tx, now, message)) === 'wrong-state') throw notDead(message);
      },
    }),
);
