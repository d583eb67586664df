// Tests: test/contracts/message-names.test.ts.

import { ownShortId, shortIdIn } from '../messages/short-id.ts';
import type { LedgerTransaction } from '../store/ledger.ts';

/**
 * How a reader names messages: by the number alone in its own inbox, with the recipient's name in
 * others. A message that is gone keeps its full id.
 */
export async function nameMessages(
  tx: Pick<LedgerTransaction, 'messages' | 'agents'>,
  reader: string,
  ids: Iterable<string>,
): Promise<(id: string) => string> {
  const names = new Map<string, string>();
  for (const id of new Set(ids)) {
    const message = await tx.messages.find(id);
    if (!message) continue;
    if (message.to === reader) {
      names.set(id, ownShortId(message));
      continue;
    }
    const recipient = await tx.agents.find(message.to);
    if (recipient) names.set(id, shortIdIn(recipient.name, message));
  }
  return (id) => names.get(id) ?? id;
}
