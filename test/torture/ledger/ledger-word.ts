import { join } from 'node:path';
import { messageStates } from '../../../src/messages/transitions.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { openSqliteLedger } from '../../../src/store/sqlite/open.ts';
import type { LedgerRow } from './facts.ts';

/** Bodies are not kept, but pass through memory. */
const page = 500;

/** The ledger's own word, asked once everybody is gone: every message it knows, in its order. */
export async function readLedger(home: string): Promise<readonly LedgerRow[]> {
  const options = { clock: systemClock, lockWaitMs: 30_000 };
  const ledger = await openSqliteLedger(join(home, 'ledger.db'), options);
  const rows: LedgerRow[] = [];
  try {
    for (let more = true; more; ) {
      const found = await ledger.read(async (tx) => {
        const afterSeq = rows.at(-1)?.seq ?? 0;
        const query = { states: messageStates, includeDiscarded: true, afterSeq, limit: page };
        const messages = await tx.messages.list(query);
        const names = await tx.agents.listNames(messages.flatMap(({ from, to }) => [from, to]));
        const name = (id: string): string => names.get(id)?.name ?? id;
        return messages.map(
          ({ id, seq, kind, from, to, state }): LedgerRow => ({
            ...{ id, seq, kind, state },
            from: name(from),
            to: name(to),
          }),
        );
      });
      rows.push(...found);
      more = found.length === page;
    }
  } finally {
    await ledger.close();
  }
  return rows;
}
