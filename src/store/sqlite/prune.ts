import type { PruneBound, Pruned } from '../../messages/message-store.ts';
import type { Connection } from './connection.ts';

/**
 * Deletes messages that have come to their end, with all that belongs to them; a claim goes with
 * the last message it carried. Bounded in rows and in bytes of bodies: with `secure_delete` every
 * page of a long body is written once more.
 */
export function prune(db: Connection, before: number, bound: PruneBound): Pruned {
  const { count, bytes, letters } = bound;
  // One more than may go: it tells whether any is left.
  const limit = count + 1;
  const found = db.statement(selectSettled).all({ before, limit, letters }) as Found[];
  if (found.length < limit) {
    const rest = { before, limit: limit - found.length };
    found.push(...(db.statement(selectUnconfirmed).all(rest) as Found[]));
  }
  const taken = takeBounded(found.slice(0, count), bytes);
  for (const { seq } of taken) {
    const tokens = db.statement(selectTokens).all(seq) as { token: number }[];
    for (const sql of deleteMessage) db.statement(sql).run(seq);
    for (const { token } of tokens) db.statement(deleteEmptyClaim).run({ token });
  }
  return { count: taken.length, hasMore: found.length > taken.length };
}

/** How many there are to be pruned, as far as `limit`. */
export function countPrunable(
  db: Connection,
  before: number,
  { limit, letters }: { readonly limit: number; readonly letters: number },
): number {
  return db.statement(selectSettled).all({ before, limit, letters }).length;
}

export function readLastPruned(db: Connection): number {
  const row = db.statement(selectMeta).get('pruned_at') as { value: string } | undefined;
  return Number(row?.value ?? 0);
}

export function writeLastPruned(db: Connection, at: number): void {
  db.statement(upsertMeta).run('pruned_at', String(at));
}

interface Found {
  readonly seq: number;
  readonly bytes: number;
}

/** At least one, however long it is. */
function takeBounded(found: readonly Found[], bytes: number): readonly Found[] {
  let sum = 0;
  const over = found.findIndex((one, i) => {
    sum += one.bytes;
    return i > 0 && sum > bytes;
  });
  return over < 0 ? found : found.slice(0, over);
}

// `octet_length` reads a row's head and none of its overflow pages.
const found = `
  select seq, octet_length(body)
    + coalesce((select octet_length(body) from bodies where bodies.message = messages.seq), 0) as bytes
  from messages`;
// The newest row stays, so that sequence numbers and fencing tokens are never handed out again. So
// does a task as long as it is owed: without it no reply could name it, and no turn would be known
// to have held it (rule 30).
const isNeeded = `
  seq = (select max(seq) from messages)
  or exists (select 1 from debts where debts.task = messages.id and debts.ended_at is null)`;
/**
 * Of the dead letters that nobody has discarded the last ones stay, however old: the same ones as
 * in `dead-letters list`.
 */
const oldestKeptLetter = `
  select seq from messages
  where (state = 'dead' or state = 'expired') and discarded_at is null and kind not in ('bounce', 'notice')
  order by seq desc limit 1 offset @letters`;
const selectSettled = `
  ${found}
  where settled_at is not null and settled_at < @before and not (${isNeeded})
    and (state not in ('dead', 'expired')
      or coalesce(discarded_at < @before,
        kind in ('bounce', 'notice') or seq <= coalesce((${oldestKeptLetter}), 0)))
  order by settled_at limit @limit`;
/** Its end came with its last claim; a message may wait for long before that. */
const selectUnconfirmed = `
  ${found}
  where state = 'injected' and is_end = 1 and created_at < @before and not (${isNeeded})
    and coalesce((select at from claims where claims.token = messages.token), created_at) < @before
  order by created_at limit @limit`;
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
