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

/** The recipient answers for messages, by full or short ids: for all of them, or for none. */
export const ack = defineRequest(
  async (
    context: Context,
    { agent },
    { ids }: { readonly ids: readonly string[] },
  ): Promise<readonly Acked[]> => {
    const { ledger, surroundings } = context;
    const wanted = await ledger.read(async (tx) => {
      const found = new Map<string, { readonly id: string }>();
      for (const reference of ids) {
        const { id, to } = await resolveMessage(tx, reference, agent);
        requireSelf(agent, to, 'ack a message');
        found.set(id, { id: to });
      }
      return found;
    });
    await settleInboxes(context, [...wanted.values()]);
    return ledger.write((tx) => ackAll(tx, surroundings.clock.now(), agent, [...wanted.keys()]));
  },
);
