import { statSync } from 'node:fs';
import type { MessageState } from '../../messages/message.ts';
import type { Ledger, LedgerReport, LedgerTransaction, WriteOptions } from '../ledger.ts';
import { SqliteAgentStore } from './agent-store.ts';
import { SqliteAnswerStore } from './answer-store.ts';
import { SqliteChangeStore } from './change-store.ts';
import { SqliteClaimStore } from './claim-store.ts';
import type { Connection } from './connection.ts';
import { SqliteDebtStore } from './debt-store.ts';
import { SqliteEpochStore } from './epoch-store.ts';
import { findDamagedRows } from './find-damaged-rows.ts';
import { SqliteInterruptionStore } from './interruption-store.ts';
import { SqliteMessageStore } from './message-store.ts';
import { schemaVersion } from './migrate.ts';
import { SqlitePartStore } from './part-store.ts';
import { SqliteRunStore } from './run-store.ts';
import { SqliteSpace } from './space.ts';
import { SqliteTurnStore } from './turn-store.ts';

export class SqliteLedger implements Ledger {
  readonly id: string;
  readonly space: SqliteSpace;
  readonly #db: Connection;
  readonly #tx: LedgerTransaction;
  readonly #onClose: () => void;

  constructor(db: Connection, id: string, onClose: () => void) {
    this.#db = db;
    this.#onClose = onClose;
    this.id = id;
    this.space = new SqliteSpace(db);
    this.#tx = {
      messages: new SqliteMessageStore(db),
      claims: new SqliteClaimStore(db),
      parts: new SqlitePartStore(db),
      agents: new SqliteAgentStore(db),
      epochs: new SqliteEpochStore(db),
      turns: new SqliteTurnStore(db),
      debts: new SqliteDebtStore(db),
      runs: new SqliteRunStore(db),
      answers: new SqliteAnswerStore(db),
      interruptions: new SqliteInterruptionStore(db),
      changes: new SqliteChangeStore(db),
    };
  }

  read<T>(work: (tx: LedgerTransaction) => Promise<T>): Promise<T> {
    return this.#db.read(() => work(this.#tx));
  }

  write<T>(work: (tx: LedgerTransaction) => Promise<T>, options?: WriteOptions): Promise<T> {
    return this.#db.write(() => work(this.#tx), options);
  }

  inspect(): Promise<LedgerReport> {
    return this.#db.read(async () => {
      const checks = this.#db.pragmaRows('integrity_check(20)') as { integrity_check: string }[];
      const damage = checks.map((row) => row.integrity_check).filter((text) => text !== 'ok');
      const states = this.#db.statement(countStates).all() as { state: MessageState; n: number }[];
      const { n } = this.#db.statement(countAgents).get() as { n: number };
      return {
        engine: 'sqlite',
        path: this.#db.path,
        schema: schemaVersion,
        bytes: size(this.#db.path) + size(`${this.#db.path}-wal`),
        freeBytes: Number(this.#db.pragma('freelist_count')) * pageBytes,
        canShrink: this.#db.pragma('auto_vacuum') === 2,
        damage,
        // Of a file that is damaged itself, rows say nothing more.
        damagedRows: damage.length > 0 ? [] : findDamagedRows(this.#db),
        messages: Object.fromEntries(states.map((row) => [row.state, row.n])),
        agents: n,
      };
    });
  }

  async close(): Promise<void> {
    this.#db.close();
    this.#onClose();
  }
}

const pageBytes = 4096;

function size(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

const countStates = 'select state, count(*) as n from messages group by state';
const countAgents = 'select count(*) as n from agents where removed_at is null';
