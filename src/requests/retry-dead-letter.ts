import { retry } from '../delivery/dead-letters.ts';
import type { MessageView } from '../protocol/messages.ts';
import { Fault } from '../shared/fault.ts';
import type { Context } from './context.ts';
import { defineRequest } from './define.ts';
import { changeDeadLetter, notDead } from './parts/change-dead-letter.ts';

/** Queues a dead letter again. For the user alone. */
export const retryDeadLetter = defineRequest(
  async (context: Context, caller, { id }: { readonly id: string }): Promise<MessageView> => {
    const retried = await changeDeadLetter(context, caller, {
      id,
      what: 'retry a dead letter',
      apply: async (tx, now, message) => {
        const { place } = caller;
        const from = place === undefined ? undefined : { evidence: `user, ${place}` };
        const outcome = await retry(tx, now, message, from);
        if (outcome === 'wrong-state') throw notDead(message);
        if (outcome !== 'recipient-gone') return;
        throw new Fault(
          'not-allowed',
          `${id} cannot be retried: its recipient has been removed.`,
          'Send its body to another agent (`signalbox inbox show`), then discard it.',
        );
      },
    });
    const recipient = await context.ledger.read((tx) => tx.agents.find(retried.to.id));
    if (recipient) await context.committed(recipient);
    return retried;
  },
);
