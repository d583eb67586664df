import { readTerminal } from '../../agents/epoch-terminal.ts';
import type { DamagedRow } from '../ledger.ts';
import type { Connection } from './connection.ts';
import { readHold, readRole, readTexts, readWaiter, readWorktree } from './json-columns.ts';

/** More of them are one trouble, and `doctor` names a few. */
const mostRows = 20;

/**
 * Rows with a JSON column that cannot be read. SQLite looks first, through all of a table: most
 * rows hold null, or are valid. Lists are judged by it alone, since a ledger may have a million.
 */
export function findDamagedRows(db: Connection): readonly DamagedRow[] {
  return columns
    .flatMap(({ select, column, read }) => {
      const rows = db.statement(select).all() as FoundRow[];
      const isDamaged = ({ text }: FoundRow): boolean => read(text) === undefined;
      return rows.filter(isDamaged).map(({ agent, message }) => ({
        column,
        ...(agent === null ? {} : { agent }),
        ...(message === null ? {} : { message }),
      }));
    })
    .slice(0, mostRows);
}

interface FoundRow {
  readonly agent: string | null;
  readonly message: string | null;
  readonly text: string;
}

/** Not null, and no list of texts. */
const noTexts = (column: string): string => `${column} is not null and case
  when json_valid(${column}) then json_type(${column}) <> 'array'
    or exists (select 1 from json_each(${column}) where type <> 'text')
  else 1 end`;

const ofAgent = (column: string): string =>
  `select id as agent, null as message, ${column} as text from agents where removed_at is null and ${column} is not null`;
const ofEpoch = (column: string): string =>
  `select epochs.agent, null as message, ${column} as text from epochs join agents on agents.id = epochs.agent
   where agents.removed_at is null and agents.epoch = epochs.epoch and ${column} is not null`;
const ofMessage = (column: string): string =>
  `select null as agent, id as message, ${column} as text from messages where ${noTexts(column)} limit ${mostRows}`;
const ofDebt = (column: string): string =>
  `select null as agent, task as message, ${column} as text from debts where ended_at is null and ${column} is not null`;
const ofPart = `
  select null as agent, messages.id as message, hold as text
  from handed_parts join messages on messages.seq = handed_parts.message where hold is not null`;

const columns: readonly {
  readonly column: string;
  readonly select: string;
  readonly read: (text: string) => unknown;
}[] = [
  { column: 'agents.role', select: ofAgent('role'), read: readRole },
  { column: 'agents.worktree', select: ofAgent('worktree'), read: readWorktree },
  { column: 'epochs.terminal', select: ofEpoch('terminal'), read: readTerminal },
  { column: 'epochs.argv', select: ofEpoch('argv'), read: readTexts },
  { column: 'epochs.extra_args', select: ofEpoch('extra_args'), read: readTexts },
  { column: 'messages.reply_to', select: ofMessage('reply_to'), read: readTexts },
  { column: 'messages.owes', select: ofMessage('owes'), read: readTexts },
  { column: 'messages.reports', select: ofMessage('reports'), read: readTexts },
  { column: 'debts.reports', select: ofDebt('reports'), read: readTexts },
  { column: 'debts.waiter', select: ofDebt('waiter'), read: readWaiter },
  { column: 'handed_parts.hold', select: ofPart, read: readHold },
];
