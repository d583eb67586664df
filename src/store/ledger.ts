import type { AgentStore } from '../agents/agent-store.ts';
import type { AnswerStore } from '../agents/answer-store.ts';
import type { EpochStore } from '../agents/epoch-store.ts';
import type { InterruptionStore } from '../agents/interruption-store.ts';
import type { RunStore } from '../agents/run-store.ts';
import type { TurnStore } from '../agents/turn-store.ts';
import type { ChangeStore } from '../messages/change-store.ts';
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
   * One transaction, alone among all processes; on disk when the promise resolves, undone when
   * `work` throws. `work` must await nothing but the transaction itself: others wait for it.
   */
  write<T>(work: (tx: LedgerTransaction) => Promise<T>, options?: WriteOptions): Promise<T>;
  /** What it takes on the disk. */
  readonly space: LedgerSpace;
  /** For `doctor`: reads everything, changes nothing. */
  inspect(): Promise<LedgerReport>;
  close(): Promise<void>;
}

export interface WriteOptions {
  /** For other processes; for work that can as well be done another time. */
  readonly waitMs?: number;
  /**
   * Among the writes of this process: `first` for what stands between a message and its reader,
   * `last` for notes of the done.
   */
  readonly haste?: 'first' | 'plain' | 'last';
}

export interface LedgerSpace {
  /**
   * Gives a few free pages back to the disk, in a transaction of a few milliseconds; true while
   * there are more. Some are kept.
   */
  giveBack(options?: WriteOptions): Promise<boolean>;
  /**
   * Brings the log's pages into the file, as far as nobody reads older ones: else whoever commits
   * next pays for them all.
   */
  checkpoint(): Promise<void>;
  /**
   * The same, and the log is empty then: what was pruned is in it no more. False: somebody was
   * using it, and it is as it was.
   */
  emptyLog(): Promise<boolean>;
  /**
   * Writes a file anew that cannot shrink, once. Others cannot write meanwhile: about 12 ms for
   * each MiB that is in use.
   */
  rebuild(maxBytes: number): Promise<Rebuilt>;
}

export type Rebuilt = 'rebuilt' | 'not-needed' | 'too-large' | 'no-room' | 'busy';

export interface LedgerReport {
  readonly engine: string;
  readonly path: string;
  readonly schema: number;
  readonly bytes: number;
  /** Of them free, for what comes next. */
  readonly freeBytes: number;
  /** Freed pages can be given back to the disk. */
  readonly canShrink: boolean;
  /** Empty when the ledger is sound. */
  readonly damage: readonly string[];
  /** A few of the rows that cannot be read; each is the trouble of one agent or message. */
  readonly damagedRows: readonly DamagedRow[];
  readonly messages: Readonly<Partial<Record<MessageState, number>>>;
  readonly agents: number;
}

export interface DamagedRow {
  /** `agents.role` */
  readonly column: string;
  /** Its id; else it is a message's row. */
  readonly agent?: string;
  readonly message?: string;
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
  readonly answers: AnswerStore;
  readonly interruptions: InterruptionStore;
  readonly changes: ChangeStore;
}
