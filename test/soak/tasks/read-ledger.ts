import { join } from 'node:path';
import type { Message } from '../../../src/messages/message.ts';
import { ownShortId } from '../../../src/messages/short-id.ts';
import { messageStates } from '../../../src/messages/transitions.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import type { LedgerTransaction } from '../../../src/store/ledger.ts';
import { openSqliteLedger } from '../../../src/store/sqlite/open.ts';
import type { LedgerTask } from './account.ts';

export interface LedgerWord {
  readonly tasks: readonly LedgerTask[];
  /** Messages whose fate is open, for whom and in which state. */
  readonly open: readonly string[];
}

/** What the ledger says of all tasks; by a connection of our own, since there may be no daemon. */
export async function readLedger(state: string): Promise<LedgerWord> {
  const options = { clock: systemClock, lockWaitMs: 30_000 };
  const ledger = await openSqliteLedger(join(state, 'ledger.db'), options);
  try {
    return await ledger.read(async (tx) => {
      const query = { states: messageStates, includeDiscarded: true, afterSeq: 0, limit: 100_000 };
      const messages = await tx.messages.list(query);
      const names = await tx.agents.listNames(messages.map(({ to }) => to));
      const tasks: LedgerTask[] = [];
      for (const message of messages) {
        if (message.kind === 'task') tasks.push(await readTask(tx, message, names));
      }
      const isOpen = ({ state: now }: Message): boolean => openStates.includes(now);
      const open = messages
        .filter(isOpen)
        .map(({ id, kind, to, state: now }) => `${kind} ${id} for ${names.get(to)?.name}: ${now}`);
      return { tasks, open };
    });
  } finally {
    await ledger.close();
  }
}

const openStates: readonly string[] = ['queued', 'claimed', 'injected', 'uncertain'];

async function readTask(
  tx: LedgerTransaction,
  { id, body }: Message,
  names: ReadonlyMap<string, { readonly name: string }>,
): Promise<LedgerTask> {
  const debt = await tx.debts.find(id);
  const by = debt?.endedBy ?? debt?.toldBy;
  const told = by === undefined ? undefined : await tx.messages.find(by);
  return {
    id,
    body,
    ...(debt?.end === undefined ? {} : { end: debt.end }),
    // As its reader's conversation names it.
    ...(told
      ? { told: { id: ownShortId(told), body: told.body, to: names.get(told.to)?.name ?? told.to } }
      : {}),
  };
}
