import type { Terminal } from '../terminal.ts';
import type { Command, CommandList } from './command.ts';
import type { Connection } from './connection.ts';
import { allOf, equal, guarded, identityFormat, marks, serverFormat } from './identity.ts';
import type { Pane } from './panes.ts';
import { chooseSessionName } from './session-name.ts';

/**
 * A session for an agent whose own one a person killed: the hub has kept its window, and its
 * helpers', alive.
 */
export async function rehomeTerminal(
  connection: Connection,
  ledgerId: string,
  terminal: Terminal,
  name: string,
): Promise<'rehomed' | 'gone'> {
  const server = connection.server();
  const panes = await connection.listPanes();
  const mine = panes.find(({ pane }) => pane === terminal.pane);
  if (!mine || terminal.server !== server.id) return 'gone';
  if (mine.sessions.some((session) => session !== server.hub)) return 'rehomed';
  const session = await chooseSessionName(connection, name);
  const windows = helpersOf(panes, terminal).map(({ window }) => window);
  const list: CommandList = [
    // A session needs a window of its own; the agent's takes its place and number.
    ['new-session', '-d', '-E', '-s', session, '--', 'sleep', '2147483647'],
    ['link-window', '-k', '-s', mine.window, '-t', `=${session}:^`],
    ...windows.map((window): Command => ['link-window', '-d', '-s', window, '-t', `=${session}:`]),
    ['display-message', '-p', 'rehomed'],
  ];
  const condition = identityFormat(ledgerId, terminal);
  const blocks = await connection.ask(guarded(terminal.pane, condition, list));
  return blocks.at(-1)?.text === 'rehomed' ? 'rehomed' : 'gone';
}

/**
 * Closes the agent's pane and its helpers'; windows and sessions that are empty then go by
 * themselves. What a person opened beside it stays: a split of the agent's window is only taken out
 * of the hub.
 */
export async function closeTerminal(
  connection: Connection,
  ledgerId: string,
  terminal: Terminal,
): Promise<void> {
  const server = connection.server();
  // Without a server it names a life alone, of which only helpers may be there.
  if (terminal.server !== '' && server.id !== terminal.server) return;
  const panes = await connection.listPanes();
  const mine = panes.find(({ pane }) => pane === terminal.pane);
  if (mine) {
    const isShared = allOf('#{e|>|:#{window_panes},1}', '#{e|>|:#{window_linked_sessions},1}');
    const unlink: Command = ['unlink-window', '-t', `${server.hub}:${mine.window}`];
    await connection.ask(
      guarded(mine.pane, identityFormat(ledgerId, terminal), [
        ['if-shell', '-F', '-t', mine.pane, isShared, [unlink]],
        ['kill-pane', '-t', mine.pane],
      ]),
    );
  }
  for (const { pane } of helpersOf(panes, terminal)) {
    const isIt = allOf(
      equal('#{pane_id}', pane),
      equal(serverFormat, server.id),
      equal(`#{${marks.helper}}`, terminal.agent),
      equal(`#{${marks.epoch}}`, String(terminal.epoch)),
    );
    await connection.ask(guarded(pane, isIt, [['kill-pane', '-t', pane]]));
  }
}

function helpersOf(panes: readonly Pane[], { agent, epoch }: Terminal): readonly Pane[] {
  return panes.filter((pane) => pane.helper === agent && pane.epoch === epoch);
}
