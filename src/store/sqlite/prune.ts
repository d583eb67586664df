import type { Connection } from './connection.ts';

/** Deletes settled messages with all that belongs to them; a claim goes with the last message it carried. */
export function prune(db: Connection, before: number, limit: number): number {
  const rows = db.statement(selectPrunable).all({ before, limit }) as { seq: number }[];
  for (const { seq } of rows) {
    const tokens = db.statement(selectTokens).all(seq) as { token: number }[];
    for (const sql of deleteMessage) db.statement(sql).run(seq);
    for (const { token } of tokens) db.statement(deleteEmptyClaim).run({ token });
  }
  return rows.length;
}

export function readLastPruned(db: Connection): number {
  const row = db.statement(selectMeta).get('pruned_at') as { value: string } | undefined;
  return Number(row?.value ?? 0);
}

export function writeLastPruned(db: Connection, at: number): void {
  db.statement(upsertMeta).run('pruned_at', String(at));
}

// The newest row stays, so that sequence numbers and fencing tokens are never handed out again. So does a task as long as it is
// owed: without it no reply could name it, and no turn would be known to have held it (rule 30).
const selectPrunable = `
  select seq from messages
  where settled_at is not null and settled_at < @before and seq < (select max(seq) from messages)
    and not exists (select 1 from debts where debts.task = messages.id and debts.ended_at is null)
  order by settled_at limit @limit`;
const deleteMessage = [
  'delete from attempts where message = ?',
  'delete from handed_parts where message = ?',
  'delete from history where message = ?',
  'delete from bodies where message = ?',
  `delete from debts where task = (select id from messages where seq = ?)`,
  `delete from runs where completion is not null
    and agent = (select sender from messages where seq = ? and kind = 'completion')`,
  'delete from messages where seq = ?',
];
const selectTokens = 'select token from attempts where message = ?';
/** A claim goes with the last message that it carried; the newest one stays, see above. */
export const deleteEmptyClaim = `
  delete from claims
  where token = @token and ended_at is not null and token < (select max(token) from claims)
    and not exists (select 1 from attempts where attempts.token = @token)`;
const selectMeta = 'select value from meta where name = ?';
const upsertMeta = `
  insert into meta (name, value) values (?, ?) on conflict (name) do update set value = excluded.value`;
