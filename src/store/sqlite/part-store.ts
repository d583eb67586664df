import type { HandedPart, PartStore } from '../../messages/part-store.ts';
import type { Connection } from './connection.ts';
import { readHold } from './json-columns.ts';
import { readColumn } from './read-column.ts';

export class SqlitePartStore implements PartStore {
  readonly #db: Connection;

  constructor(db: Connection) {
    this.#db = db;
  }

  async list(messageId: string): Promise<readonly HandedPart[]> {
    const rows = this.#db.statement(selectParts).all(messageId) as PartRow[];
    return rows.map(({ hold: text, line, ...row }) => {
      // Without it nobody hands the part out, so it is offered again.
      const of = `${messageId}, part ${row.part}`;
      const hold = readColumn({ column: 'handed_parts.hold', row: of, text, read: readHold });
      return {
        messageId,
        ...row,
        ...(line === null ? {} : { line }),
        ...(hold === undefined ? {} : { hold }),
      };
    });
  }

  async put({ messageId: id, epoch, part, state, hold, line }: HandedPart): Promise<void> {
    const held = hold === undefined ? null : JSON.stringify(hold);
    this.#db.statement(upsertPart).run({ id, epoch, part, state, hold: held, line: line ?? null });
  }

  async doubt(recipient: string): Promise<void> {
    this.#db.statement(updateDoubt).run({ recipient });
  }
}

type PartRow = Pick<HandedPart, 'epoch' | 'part' | 'state'> & {
  readonly hold: string | null;
  readonly line: string | null;
};

const selectParts = `
  select epoch, part, state, hold, line from handed_parts
  where message = (select seq from messages where id = ?) order by epoch, part`;
const upsertPart = `
  insert into handed_parts (message, epoch, part, state, hold, line)
  select seq, @epoch, @part, @state, @hold, @line from messages where id = @id
  on conflict (message, epoch, part) do update
    set state = excluded.state, hold = excluded.hold, line = excluded.line`;
const updateDoubt = `
  update handed_parts set state = 'uncertain', hold = null, line = null
  where state = 'handed'
    and message in (select seq from messages where recipient = @recipient and state = 'injected')`;
