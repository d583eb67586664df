// Tests: test/contracts/pasted-names.test.ts.

import { nameFor } from '../agents/reference.ts';
import type { LedgerTransaction } from '../store/ledger.ts';

/** An agent as the reader of a text can call it, both by id. One that is forgotten keeps its id. */
export async function nameTo(
  tx: Pick<LedgerTransaction, 'agents'>,
  reader: string,
  agent: string,
): Promise<string> {
  const found = await tx.agents.find(agent);
  return found ? nameFor(await tx.agents.find(reader), found) : agent;
}
