import type { Agent } from '../../agents/agent.ts';
import type { Answer } from '../../agents/answer.ts';
import type { Epoch } from '../../agents/epoch.ts';
import type { Interruption } from '../../agents/interruption.ts';
import type { Run } from '../../agents/run.ts';
import type { Budget, Stop } from '../../agents/turn-store.ts';
import { type Change, keptChanges } from '../../messages/change-store.ts';
import type { AttemptOutcome, Claim } from '../../messages/claim.ts';
import type { Debt } from '../../messages/debt.ts';
import type { Message } from '../../messages/message.ts';
import type { HistoryRow } from '../../messages/message-store.ts';
import type { HandedPart } from '../../messages/part-store.ts';
import { openStates } from '../../messages/transitions.ts';

export type StoredMessage = Message & { readonly settledAt?: number };
/** Of one message under one claim. */
export interface StoredAttempt {
  readonly outcome: AttemptOutcome;
  readonly isPointer: boolean;
  readonly handedOutAt?: number;
  readonly line?: string;
  readonly folded: number;
  readonly turn?: string;
}

export type StoredAgent = Agent & { readonly inboxSettled?: boolean };

/**
 * Every row is immutable; every change leaves its inverse in the undo log, so that a failed
 * transaction never happened.
 */
export class Tables {
  readonly messages = new Map<string, StoredMessage>();
  readonly agents = new Map<string, StoredAgent>();
  /** Of projects, by session. */
  readonly roots = new Map<string, string>();
  /** By agent and number. */
  readonly epochs = new Map<string, Epoch>();
  readonly claims = new Map<number, Claim>();
  /** By message id. */
  readonly history = new Map<string, readonly HistoryRow[]>();
  readonly attempts = new Map<string, ReadonlyMap<number, StoredAttempt>>();
  /** By message id, in order. */
  readonly parts = new Map<string, readonly HandedPart[]>();
  /** By agent and kind. */
  readonly budgets = new Map<string, Budget>();
  readonly stops = new Map<string, readonly Stop[]>();
  /** By task. */
  readonly debts = new Map<string, Debt>();
  /** By agent. */
  readonly runs = new Map<string, Run>();
  readonly answers = new Map<string, Answer>();
  readonly interruptions = new Map<string, Interruption>();
  /** By number, in order. */
  readonly changes = new Map<number, Change>();
  readonly meta = new Map<string, number>();
  /** The last one of each name. */
  readonly numbers = new Map<string, number>();
  /** Ids of open messages by recipient: what a simulation looks at again and again. */
  readonly #open = new Map<string, Set<string>>();
  #undo: (() => void)[] = [];

  begin(): void {
    this.#undo = [];
  }

  rollBack(): void {
    for (const step of this.#undo.reverse()) step();
    this.#undo = [];
  }

  set<K, V>(table: Map<K, V>, key: K, value: V): void {
    const had = table.has(key);
    const before = table.get(key) as V;
    this.#undo.push(() => (had ? table.set(key, before) : table.delete(key)));
    table.set(key, value);
  }

  delete<K, V>(table: Map<K, V>, key: K): void {
    if (!table.has(key)) return;
    const before = table.get(key) as V;
    this.#undo.push(() => table.set(key, before));
    table.delete(key);
  }

  putMessage(message: StoredMessage): void {
    // Pushed first, so that on the way back it runs after the table is as it was.
    this.#undo.push(() => this.#index(message.id, message.to));
    this.set(this.messages, message.id, message);
    this.#index(message.id, message.to);
  }

  deleteMessage(message: StoredMessage): void {
    this.delete(this.messages, message.id);
    this.delete(this.history, message.id);
    this.delete(this.attempts, message.id);
    this.delete(this.parts, message.id);
    this.delete(this.debts, message.id);
    if (this.runs.get(message.from)?.completion === message.id) {
      this.delete(this.runs, message.from);
    }
  }

  /** In order. */
  listOpen(recipient: string): readonly StoredMessage[] {
    const found: StoredMessage[] = [];
    for (const id of this.#open.get(recipient) ?? []) {
      const message = this.messages.get(id);
      if (message) found.push(message);
    }
    return found.sort((a, b) => a.seq - b.seq);
  }

  /** In the inbox of this recipient: see `sqlite/numbers.ts`. */
  takeNumber(recipient: string): number {
    const floor = this.meta.get('last_forgotten_number') ?? 0;
    const name = this.agents.get(recipient)?.name;
    if (name === undefined) {
      const own = [...this.messages.values()].filter(({ to }) => to === recipient);
      return Math.max(floor, ...own.map(({ number = 0 }) => number)) + 1;
    }
    const next = (this.numbers.get(name) ?? floor) + 1;
    this.set(this.numbers, name, next);
    return next;
  }

  forgetNumbers(name: string): void {
    if ([...this.agents.values()].some((agent) => agent.name === name)) return;
    const floor = this.meta.get('last_forgotten_number') ?? 0;
    const last = this.numbers.get(name) ?? 0;
    if (last > floor) this.set(this.meta, 'last_forgotten_number', last);
    this.delete(this.numbers, name);
  }

  /** As the triggers of SQLite do; null: the agents. */
  noteChange(message: string | null): void {
    const number = this.nextKey('change');
    this.set(this.changes, number, { number, message });
    this.delete(this.changes, number - keptChanges);
  }

  nextKey(table: 'seq' | 'token' | 'change'): number {
    const next = (this.meta.get(table) ?? 0) + 1;
    this.set(this.meta, table, next);
    return next;
  }

  /** Also the inverse of itself: it follows whatever the message table says. */
  #index(id: string, recipient: string): void {
    const open = this.#open.get(recipient) ?? new Set();
    this.#open.set(recipient, open);
    const state = this.messages.get(id)?.state;
    if (state && (openStates as readonly string[]).includes(state)) open.add(id);
    else open.delete(id);
  }
}
