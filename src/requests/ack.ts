import { ack as ackAll } from '../fleet/ack.ts';
import { requireSelf } from '../fleet/permissions.ts';
import { resolveMessage } from '../fleet/resolve-message.ts';
import { settleInboxes } from '../fleet/settle-inboxes.ts';
import type { Context } from './context.ts';
import { defineRequest } from './define.ts';

export interface Acked {
  readonly id: string;
  readonly state: 'acked';
}

/** The recipient answers for messages by id: for all of them, or for none. */
export const ack = defineRequest(
  async (
    context: Context,
    { agent },
    { ids }: { readonly ids: readonly string[] },
  ): Promise<readonly Acked[]> => {
    const { ledger, surroundings } = context;
    const wanted = [...new Set(ids)];
    const owners = await ledger.read(async (tx) => {
      const found: { readonly id: string }[] = [];
      for (const id of wanted) {
        const { to } = await resolveMessage(tx, id);
        requireSelf(agent, to, 'ack a message');
        found.push({ id: to });
      }
      return found;
    });
    await settleInboxes(context, owners);
    return ledger.write((tx) => ackAll(tx, surroundings.clock.now(), agent, wanted));
  },
);
