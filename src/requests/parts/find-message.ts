import type { Caller } from '../../agents/caller.ts';
import { requireParty } from '../../fleet/permissions.ts';
import { resolveMessage } from '../../fleet/resolve-message.ts';
import { settleInboxes } from '../../fleet/settle-inboxes.ts';
import type { Message } from '../../messages/message.ts';
import type { Context } from '../context.ts';

/**
 * The message, if the caller sent or received it, after what is due in its inbox was settled: what
 * is shown is how it stands now.
 */
export async function findMessage(
  context: Pick<Context, 'ledger' | 'surroundings'>,
  { agent }: Caller,
  reference: string,
): Promise<Message> {
  const { ledger } = context;
  const { id, to } = await ledger.read(async (tx) => {
    const message = await resolveMessage(tx, reference, agent);
    requireParty(agent, message);
    return message;
  });
  await settleInboxes(context, [{ id: to }]);
  return ledger.read((tx) => resolveMessage(tx, id, agent));
}
