import type { Interruption } from '../../agents/interruption.ts';
import type { InterruptionEnd, InterruptionStore } from '../../agents/interruption-store.ts';
import type { Connection } from './connection.ts';

export class SqliteInterruptionStore implements InterruptionStore {
  readonly #db: Connection;

  constructor(db: Connection) {
    this.#db = db;
  }

  async insert({ messages, ...row }: Interruption): Promise<void> {
    const { reason = null, way = null, who = null, settledAt = null } = row;
    const optional = { reason, way, who, settledAt, messages: messages.join(' ') };
    this.#db.statement(insertOne).run({ ...row, ...optional });
  }

  async settle(id: string, { reason = null, way = null, ...end }: NulledEnd): Promise<boolean> {
    return this.#db.statement(updateOne).run({ id, reason, way, ...end }).changes === 1;
  }

  async settleAll({ reason = null, way = null, ...end }: NulledEnd): Promise<number> {
    return Number(this.#db.statement(updateAll).run({ reason, way, ...end }).changes);
  }

  async list(agent: string, limit: number): Promise<readonly Interruption[]> {
    const rows = this.#db.statement(selectOf).all({ agent, limit }) as Row[];
    return rows.map(toInterruption);
  }

  async listOf(agent: string, message: string): Promise<readonly Interruption[]> {
    const rows = this.#db.statement(selectHolding).all({ agent, message }) as Row[];
    return rows.map(toInterruption);
  }

  async prune(before: number, limit: number): Promise<number> {
    return Number(this.#db.statement(deleteOld).run({ before, limit }).changes);
  }
}

type NulledEnd = Omit<InterruptionEnd, 'reason' | 'way'> & {
  readonly reason?: string | null;
  readonly way?: 'api' | 'keys' | null;
};

type Row = Pick<Interruption, 'id' | 'agent' | 'epoch' | 'outcome' | 'presses' | 'by' | 'place'> & {
  readonly reason: string | null;
  readonly way: 'api' | 'keys' | null;
  readonly who: string | null;
  readonly messages: string;
  readonly at: number;
  readonly settled_at: number | null;
};

function toInterruption({
  reason,
  way,
  who,
  settled_at: settledAt,
  messages,
  ...row
}: Row): Interruption {
  return {
    ...row,
    messages: messages === '' ? [] : messages.split(' '),
    ...(reason === null ? {} : { reason }),
    ...(way === null ? {} : { way }),
    ...(who === null ? {} : { who }),
    ...(settledAt === null ? {} : { settledAt }),
  };
}

const insertOne = `
  insert into interruptions (id, agent, epoch, outcome, reason, way, presses, by, who, place, messages, at, settled_at)
  values (@id, @agent, @epoch, @outcome, @reason, @way, @presses, @by, @who, @place, @messages, @at, @settledAt)`;
const set = `
  update interruptions
  set outcome = @outcome, reason = @reason, way = @way, presses = @presses, settled_at = @at`;
const updateOne = `${set} where id = @id and outcome = 'pressing'`;
const updateAll = `${set} where outcome = 'pressing'`;
const selectOf = `
  select * from interruptions where agent = @agent order by at desc, id desc limit @limit`;
const selectHolding = `
  select * from interruptions
  where agent = @agent
    and instr(' ' || messages || ' ', ' ' || @message || ' ') > 0
  order by at, id`;
const deleteOld = `
  delete from interruptions where id in (
    select id from interruptions
    where at < @before and outcome <> 'pressing' order by at limit @limit)`;
