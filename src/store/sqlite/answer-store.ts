import type { Answer } from '../../agents/answer.ts';
import type { AnswerEnd, AnswerStore } from '../../agents/answer-store.ts';
import type { Connection } from './connection.ts';

export class SqliteAnswerStore implements AnswerStore {
  readonly #db: Connection;

  constructor(db: Connection) {
    this.#db = db;
  }

  async insert({ reason = null, who = null, settledAt = null, ...rest }: Nulled): Promise<void> {
    this.#db.statement(insertAnswer).run({ ...rest, reason, who, settledAt });
  }

  async settle(id: string, { outcome, reason = null, at }: NulledEnd): Promise<boolean> {
    return this.#db.statement(updateOne).run({ id, outcome, reason, at }).changes === 1;
  }

  async settleAll({ outcome, reason = null, at }: NulledEnd): Promise<number> {
    return Number(this.#db.statement(updateAll).run({ outcome, reason, at }).changes);
  }

  async list(agent: string, limit: number): Promise<readonly Answer[]> {
    return (this.#db.statement(selectOf).all({ agent, limit }) as AnswerRow[]).map(toAnswer);
  }

  async prune(before: number, limit: number): Promise<number> {
    return Number(this.#db.statement(deleteOld).run({ before, limit }).changes);
  }
}

type Nulled = Omit<Answer, 'reason' | 'who' | 'settledAt'> & {
  readonly reason?: string | null;
  readonly who?: string | null;
  readonly settledAt?: number | null;
};
type NulledEnd = Omit<AnswerEnd, 'reason'> & { readonly reason?: string | null };

type AnswerRow = Omit<Answer, 'reason' | 'who' | 'settledAt'> & {
  readonly reason: string | null;
  readonly who: string | null;
  readonly settled_at: number | null;
};

function toAnswer({ reason, who, settled_at: settledAt, ...row }: AnswerRow): Answer {
  return {
    ...row,
    ...(reason === null ? {} : { reason }),
    ...(who === null ? {} : { who }),
    ...(settledAt === null ? {} : { settledAt }),
  };
}

const insertAnswer = `
  insert into answers (id, agent, epoch, question, asks, text, decision, outcome, reason, by, who, place, at, settled_at)
  values (@id, @agent, @epoch, @question, @asks, @text, @decision, @outcome, @reason, @by, @who, @place, @at, @settledAt)`;
const updateOne = `
  update answers set outcome = @outcome, reason = @reason, settled_at = @at
  where id = @id and outcome = 'deciding'`;
const updateAll = `
  update answers set outcome = @outcome, reason = @reason, settled_at = @at where outcome = 'deciding'`;
const selectOf = `
  select * from answers where agent = @agent order by at desc, id desc limit @limit`;
const deleteOld = `
  delete from answers where id in (
    select id from answers where at < @before and outcome <> 'deciding' order by at limit @limit)`;
