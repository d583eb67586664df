// Tests: test/contracts/settling.test.ts, test/contracts/completions.test.ts.

import type { Message } from '../messages/message.ts';
import type { LedgerTransaction } from '../store/ledger.ts';

/** Of a message without proof: some attempt was made that nothing proves not landed (rule 34). */
export async function mayHaveBeenRead(
  tx: LedgerTransaction,
  { id, attempts }: Pick<Message, 'id' | 'attempts'>,
): Promise<boolean> {
  if (attempts === 0) return false;
  const made = await tx.claims.listAttempts(id);
  return made.some(({ outcome }) => outcome !== 'not-landed' && outcome !== 'abandoned');
}
