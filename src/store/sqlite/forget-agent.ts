import type { Parties } from '../../messages/message-store.ts';
import type { Connection } from './connection.ts';
import { forgetNumbers } from './numbers.ts';

/** What is left of agents that were removed; `fleet/forget-agents.ts` decides which of them go. */
export function listForgettable(db: Connection, before: number): readonly string[] {
  const rows = db.statement(selectForgettable).all({ before }) as { id: string }[];
  return rows.map(({ id }) => id);
}

export function forgetAgent(db: Connection, id: string): void {
  const row = db.statement(selectName).get(id) as { name: string; session: string } | undefined;
  for (const sql of deleteAgent) db.statement(sql).run(id);
  if (!row) return;
  forgetNumbers(db, row.name);
  db.statement(deleteSession).run({ session: row.session });
}

/**
 * By the order of the ledger: no index leads from an agent to its settled messages, and one would
 * cost every send more than this costs now and then.
 */
export function listParties(db: Connection, afterSeq: number, limit: number): Parties {
  const rows = db.statement(selectParties).all({ afterSeq, limit }) as PartyRow[];
  const agents = new Set<string>();
  for (const { sender, recipient, child } of rows) {
    agents.add(sender).add(recipient);
    if (child !== null) agents.add(child);
  }
  return { agents, lastSeq: rows.at(-1)?.seq };
}

interface PartyRow {
  readonly seq: number;
  readonly sender: string;
  readonly recipient: string;
  readonly child: string | null;
}

const selectParties =
  'select seq, sender, recipient, child from messages where seq > @afterSeq order by seq limit @limit';
const selectForgettable = `
  select id from agents
  where removed_at < @before and inbox_settled = 1
    and not exists (select 1 from epochs where epochs.agent = agents.id and ended_at is null)
    and not exists (select 1 from runs where runs.agent = agents.id and ended_at is null)
    and not exists (
      select 1 from agents as child where child.parent = agents.id and child.removed_at is null)`;
const selectName = 'select name, session from agents where id = ?';
const deleteSession = `
  delete from sessions
  where name = @session and not exists (select 1 from agents where session = @session)`;
const deleteAgent = [
  'delete from epochs where agent = ?',
  'delete from runs where agent = ?',
  'delete from stops where agent = ?',
  'delete from answers where agent = ?',
  'delete from interruptions where agent = ?',
  'delete from agents where id = ? and removed_at is not null',
];
