import { createUser } from '../../agents/agent.ts';
import type { MessageState } from '../../messages/message.ts';
import { Turns } from '../../shared/turns.ts';
import type { Ledger, LedgerReport, LedgerSpace, LedgerTransaction } from '../ledger.ts';
import { MemoryAgentStore } from './agent-store.ts';
import { MemoryAnswerStore } from './answer-store.ts';
import { MemoryChangeStore } from './change-store.ts';
import { MemoryClaimStore } from './claim-store.ts';
import { MemoryDebtStore } from './debt-store.ts';
import { MemoryEpochStore } from './epoch-store.ts';
import { MemoryInterruptionStore } from './interruption-store.ts';
import { MemoryMessageStore } from './message-store.ts';
import { MemoryPartStore } from './part-store.ts';
import { MemoryRunStore } from './run-store.ts';
import { Tables } from './tables.ts';
import { MemoryTurnStore } from './turn-store.ts';

/**
 * A ledger that forgets, for simulations and tests: the same promises as SQLite but for durability.
 */
export class MemoryLedger implements Ledger {
  readonly id = 'ldg_memory';
  /** What is deleted is gone. */
  readonly space: LedgerSpace = {
    giveBack: async () => false,
    checkpoint: async () => undefined,
    emptyLog: async () => true,
    rebuild: async () => 'not-needed',
  };
  readonly #tables = new Tables();
  readonly #tx: LedgerTransaction;
  readonly #turns = new Turns();

  constructor() {
    this.#tx = {
      messages: new MemoryMessageStore(this.#tables),
      claims: new MemoryClaimStore(this.#tables),
      parts: new MemoryPartStore(this.#tables),
      agents: new MemoryAgentStore(this.#tables),
      epochs: new MemoryEpochStore(this.#tables),
      turns: new MemoryTurnStore(this.#tables),
      debts: new MemoryDebtStore(this.#tables),
      runs: new MemoryRunStore(this.#tables),
      answers: new MemoryAnswerStore(this.#tables),
      interruptions: new MemoryInterruptionStore(this.#tables),
      changes: new MemoryChangeStore(this.#tables),
    };
    const user = createUser(0);
    this.#tables.agents.set(user.id, user);
  }

  read<T>(work: (tx: LedgerTransaction) => Promise<T>): Promise<T> {
    return this.#turns.take(() => work(this.#tx));
  }

  write<T>(work: (tx: LedgerTransaction) => Promise<T>): Promise<T> {
    return this.#turns.take(async () => {
      this.#tables.begin();
      try {
        return await work(this.#tx);
      } catch (error) {
        this.#tables.rollBack();
        throw error;
      }
    });
  }

  async inspect(): Promise<LedgerReport> {
    const messages: Partial<Record<MessageState, number>> = {};
    for (const { state } of this.#tables.messages.values())
      messages[state] = (messages[state] ?? 0) + 1;
    const living = [...this.#tables.agents.values()].filter((a) => a.removedAt === undefined);
    return {
      engine: 'memory',
      path: '',
      schema: 0,
      bytes: 0,
      freeBytes: 0,
      canShrink: true,
      damage: [],
      damagedRows: [],
      messages,
      agents: living.length,
    };
  }

  async close(): Promise<void> {}
}
