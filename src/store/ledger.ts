import type { AgentStore } from '../agents/agent-store.ts';
import type { EpochStore } from '../agents/epoch-store.ts';
import type { RunStore } from '../agents/run-store.ts';
import type { TurnStore } from '../agents/turn-store.ts';
import type { ClaimStore } from '../messages/claim-store.ts';
import type { DebtStore } from '../messages/debt-store.ts';
import type { MessageState } from '../messages/message.ts';
import type { MessageStore } from '../messages/message-store.ts';
import type { PartStore } from '../messages/part-store.ts';

/** The durable truth: all ports, under one transaction. */
export interface Ledger {
  /** Names this ledger for ever, so that two of them are never mixed up. */
  readonly id: string;
  /** A consistent view. Writes nothing, takes no lock that stops a writer. */
  read<T>(work: (tx: LedgerTransaction) => Promise<T>): Promise<T>;
  /**
   * One transaction, alone among all processes; on disk when the promise resolves, undone when `work` throws. `work` must
   * await nothing but the transaction itself: others wait for it.
   */
  write<T>(work: (tx: LedgerTransaction) => Promise<T>, options?: WriteOptions): Promise<T>;
  /** For `doctor`: reads everything, changes nothing. */
  inspect(): Promise<LedgerReport>;
  close(): Promise<void>;
}

export interface WriteOptions {
  /** For other processes; for work that can as well be done another time. */
  readonly waitMs?: number;
  /** Among the writes of this process: `first` for what stands between a message and its reader, `last` for notes of the done. */
  readonly haste?: 'first' | 'plain' | 'last';
}

export interface LedgerReport {
  readonly engine: string;
  readonly path: string;
  readonly schema: number;
  readonly bytes: number;
  /** Empty when the ledger is sound. */
  readonly damage: readonly string[];
  readonly messages: Readonly<Partial<Record<MessageState, number>>>;
  readonly agents: number;
}

export interface LedgerTransaction {
  readonly messages: MessageStore;
  readonly claims: ClaimStore;
  readonly parts: PartStore;
  readonly agents: AgentStore;
  readonly epochs: EpochStore;
  readonly turns: TurnStore;
  readonly debts: DebtStore;
  readonly runs: RunStore;
}
