import {
  type Brief,
  briefLength,
  type Change,
  type ChangeStore,
} from '../../messages/change-store.ts';
import type { DebtEnd } from '../../messages/debt.ts';
import type { Connection } from './connection.ts';
import { type MessageRow, toMessage } from './rows.ts';

export class SqliteChangeStore implements ChangeStore {
  readonly #db: Connection;

  constructor(db: Connection) {
    this.#db = db;
  }

  async newest(): Promise<number> {
    return (this.#db.statement(selectNewest).get() as { newest: number }).newest;
  }

  async listAfter(after: number, limit: number): Promise<readonly Change[] | 'unknown'> {
    const { oldest, newest } = this.#db.statement(selectEnds).get() as Ends;
    if (after > newest || after < oldest - 1) return 'unknown';
    return this.#db.statement(selectAfter).all({ after, limit }) as Change[];
  }

  async listBriefs(ids: readonly string[]): Promise<readonly Brief[]> {
    const statement = this.#db.statement(selectBrief);
    return ids.flatMap((id) => {
      const row = statement.get(id) as BriefRow | undefined;
      return row ? [toBrief(row)] : [];
    });
  }

  async listRecent(since: number, limit: number): Promise<readonly Brief[]> {
    const rows = this.#db.statement(selectRecent).all({ since, limit }) as BriefRow[];
    return rows.reverse().map(toBrief);
  }

  async countRecent(since: number): Promise<number> {
    return (this.#db.statement(countRecent).get({ since }) as { n: number }).n;
  }
}

interface Ends {
  readonly oldest: number;
  readonly newest: number;
}

interface BriefRow extends MessageRow {
  readonly changed_at: number | null;
  readonly debt: DebtEnd | 'open' | null;
}

function toBrief(row: BriefRow): Brief {
  return {
    message: toMessage(row),
    changedAt: row.changed_at ?? row.created_at,
    ...(row.debt === null ? {} : { debt: row.debt }),
  };
}

// Two reads of one end each: SQLite answers `min` and `max` together by reading the whole table.
const selectEnds = `
  select coalesce((select min(number) from changes), 1) as oldest,
    coalesce((select max(number) from changes), 0) as newest`;
const selectNewest = 'select coalesce((select max(number) from changes), 0) as newest';
const selectAfter = `
  select changes.number, messages.id as message from changes
  left join messages on messages.seq = changes.message
  where changes.number > @after order by changes.number limit @limit`;
const briefs = `
  select messages.*, substr(bodies.body, 1, ${briefLength}) as long_body,
    (select at from history where history.message = messages.seq order by n desc limit 1) as changed_at,
    (select coalesce("end", 'open') from debts where debts.task = messages.id) as debt
  from messages left join bodies on bodies.message = messages.seq`;
const selectBrief = `${briefs} where messages.id = ?`;
// Spelled as the partial indexes have it. What was sent without any proof to be had is at its end
// (rule 8).
const recent = `
  select seq from messages
  where (state = 'queued' or state = 'claimed' or state = 'injected' or state = 'uncertain')
    and (state <> 'injected' or is_end = 0 or created_at >= @since)
  union
  select seq from messages
  where (state = 'dead' or state = 'expired') and discarded_at is null and kind not in ('bounce', 'notice')
  union
  select seq from messages where settled_at is not null and settled_at >= @since`;
const selectRecent = `${briefs} where messages.seq in (${recent}) order by messages.seq desc limit @limit`;
const countRecent = `select count(*) as n from (${recent})`;
