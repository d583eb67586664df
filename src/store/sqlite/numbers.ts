import type { Connection } from './connection.ts';

/**
 * The next number in the inbox of this recipient. It is never given twice for one name, whichever
 * agents have that name, one after the other or at once in several sessions: `lead:412` means one
 * message wherever it is written.
 */
export function takeNumber(db: Connection, recipient: string): number {
  for (const sql of [updateLast, insertFirst, selectUnnamed]) {
    const row = db.statement(sql).get({ recipient }) as { number: number } | undefined;
    if (row) return row.number;
  }
  throw new Error(`no number for a message to ${recipient}`);
}

/**
 * An agent of this name was forgotten. If it was the last one, the ledger keeps no more than the
 * highest number of all such names, and numbers of new names begin behind it.
 */
export function forgetNumbers(db: Connection, name: string): void {
  for (const sql of [raiseFloor, deleteUnused]) db.statement(sql).run({ name });
}

const named = '(select name from agents where id = @recipient)';
const floor = `coalesce((select cast(value as integer) from meta where name = 'last_forgotten_number'), 0)`;
const isUnused = 'name = @name and not exists (select 1 from agents where name = @name)';

const updateLast = `update numbers set last = last + 1 where name = ${named} returning last as number`;
const insertFirst = `
  insert into numbers (name, last) select name, ${floor} + 1 from agents where id = @recipient
  returning last as number`;
/** Its agent was forgotten, so nobody can name its inbox. */
const selectUnnamed = `
  select max(${floor}, coalesce((select max(number) from messages where recipient = @recipient), 0)) + 1 as number`;
const raiseFloor = `
  insert into meta (name, value)
  select 'last_forgotten_number', cast(last as text) from numbers where ${isUnused} and last > ${floor}
  on conflict (name) do update set value = excluded.value`;
const deleteUnused = `delete from numbers where ${isUnused}`;
