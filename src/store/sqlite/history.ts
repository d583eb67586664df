import type { CauseCode } from '../../messages/cause.ts';
import type { HistoryRow, Move, NewMessage } from '../../messages/message-store.ts';
import type { Connection } from './connection.ts';

/** The rows by which `explain` tells a message's life: one for each of its states. */
export function readHistory(db: Connection, id: string): readonly HistoryRow[] {
  return (db.statement(selectHistory).all(id) as StoredRow[]).map(toHistoryRow);
}

export function beginHistory(
  db: Connection,
  seq: number,
  { createdAt, state, cause, evidence }: NewMessage,
): void {
  db.statement(insertFirst).run(seq, createdAt, state, cause, evidence ?? null);
}

/** `token`: whose attempt it is about. */
export function addHistory(
  db: Connection,
  message: number,
  move: Move,
  token: number | undefined,
): void {
  const { at, from, to, code, cause, evidence = null } = move;
  const row = { message, at, from, to, code, cause, evidence, token: token ?? null };
  db.statement(insertNext).run(row);
}

/** Takes out `count` rows, from that one on. */
export function foldHistory(db: Connection, id: string, first: number, count: number): void {
  db.statement(deleteSome).run({ id, first, count });
}

type StoredRow = Pick<HistoryRow, 'at' | 'from' | 'to' | 'cause'> & {
  readonly code: CauseCode | null;
  readonly evidence: string | null;
  readonly token: number | null;
};

/** Rows of before 2026-11-18 may have the name on the left. */
const renamed: ReadonlyMap<string, CauseCode> = new Map([['not-fetched', 'call-dropped']]);

function toHistoryRow({ code, evidence, token, ...row }: StoredRow): HistoryRow {
  return {
    ...row,
    ...(code === null ? {} : { code: renamed.get(code) ?? code }),
    ...(evidence === null ? {} : { evidence }),
    ...(token === null ? {} : { token }),
  };
}

const insertFirst = `
  insert into history (message, n, at, from_state, to_state, cause, evidence) values (?, 1, ?, null, ?, ?, ?)`;
const insertNext = `
  insert into history (message, n, at, from_state, to_state, code, cause, evidence, token)
  values (@message, (select max(n) + 1 from history where message = @message), @at, @from, @to, @code, @cause,
    @evidence, @token)`;
const selectHistory = `
  select at, from_state as "from", to_state as "to", code, cause, evidence, token from history
  where message = (select seq from messages where id = ?) order by n`;
const deleteSome = `
  delete from history where message = (select seq from messages where id = @id) and n in (
    select n from history where message = (select seq from messages where id = @id)
    order by n limit @count offset @first)`;
