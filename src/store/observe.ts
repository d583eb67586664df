import type { MessageState } from '../messages/message.ts';
import type { MessageStore } from '../messages/message-store.ts';
import type { Ledger, LedgerTransaction } from './ledger.ts';

/** One message came or moved, and that is on disk. */
export interface MessageChange {
  readonly id: string;
  readonly state: MessageState;
  readonly from: string;
  readonly to: string;
}

/**
 * A ledger whose commits are told to `observer`, after they are on disk and never when they were
 * undone. Only those of this process: what other processes write is found by looking.
 */
export function observeLedger(
  ledger: Ledger,
  observer: (changes: readonly MessageChange[]) => void,
): Ledger {
  return {
    id: ledger.id,
    read: (work) => ledger.read(work),
    write: async (work, options) => {
      let changes: MessageChange[] = [];
      const result = await ledger.write((tx) => {
        // Begins anew when the transaction does.
        changes = [];
        return work(watch(tx, changes));
      }, options);
      if (changes.length > 0) observer(changes);
      return result;
    },
    space: ledger.space,
    inspect: () => ledger.inspect(),
    close: () => ledger.close(),
  };
}

function watch(tx: LedgerTransaction, changes: MessageChange[]): LedgerTransaction {
  const { messages } = tx;
  const note = ({ id, state, from, to }: MessageChange): void => {
    changes.push({ id, state, from, to });
  };
  const watched: Partial<MessageStore> = {
    insert: async (rows) => {
      const inserted = await messages.insert(rows);
      for (const message of inserted) note(message);
      return inserted;
    },
    move: async (ids, move) => {
      const moved = await messages.move(ids, move);
      for (const message of moved) note({ ...message, state: move.to });
      return moved;
    },
  };
  return { ...tx, messages: overlay(messages, watched) };
}

/** Methods of `over` before those of `under`, which keep their own `this`. */
function overlay(under: MessageStore, over: Partial<MessageStore>): MessageStore {
  return new Proxy(under, {
    get: (target, name: keyof MessageStore) => {
      const method = over[name] ?? target[name];
      return over[name] ? method : method.bind(target);
    },
  });
}
