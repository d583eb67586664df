import type { Terminal } from '../terminal.ts';
import type { PeopleNotice } from '../writing.ts';
import type { Command } from './command.ts';
import type { Connection } from './connection.ts';
import { isClientName, peopleNotices } from './people-notices.ts';

/** So long it stands in a person's status line, unless a key of theirs ends it; milliseconds. */
const shownMs = 10_000;

/**
 * In the status line of each person's own client that shows this pane. A key of theirs goes to the
 * program as ever, and ends the words; tmux can keep the words instead, and throws the key away
 * (`display-message -N`, 3.3a), so they are told again once they pause.
 */
export async function tellPeople(
  connection: Connection,
  { pane, server }: Terminal,
  notice: PeopleNotice,
): Promise<number> {
  if (connection.server().id !== server) return 0;
  const [listed] = await connection.ask([
    ['list-clients', '-F', 'c|#{client_control_mode}|#{pane_id}|#{client_name}'],
  ]);
  const rows = (listed?.text ?? '').split('\n').map((row) => row.split('|'));
  const names = rows.flatMap(([, isControl, current, name = '']) =>
    isControl === '0' && current === pane && isClientName(name) ? [name] : [],
  );
  for (const name of names) await connection.ask([tell(name, peopleNotices[notice])]);
  return names.length;
}

function tell(client: string, words: string): Command {
  return ['display-message', '-c', client, '-d', String(shownMs), words];
}
