import type { Terminal, WantedHelper } from '../terminal.ts';
import { allOf, equal, guarded, marks, serverFormat } from './identity.ts';
import { helperOf, type LaunchParts } from './launch.ts';
import { startProgram } from './start-program.ts';

/**
 * A helper of a running agent, in a window behind the agent's own. One that still runs is left
 * alone: then there is nothing to start. What is left of one that ended is closed first.
 */
export async function startHelper(
  { connection, ledgerId }: Pick<LaunchParts, 'connection' | 'ledgerId'>,
  terminal: Terminal,
  helper: WantedHelper,
): Promise<'started' | 'running' | 'gone'> {
  const server = connection.server();
  const panes = await connection.listPanes();
  const { agent, epoch } = terminal;
  const mine = panes.find(({ pane }) => pane === terminal.pane);
  if (!mine || mine.agent !== agent || server.id !== terminal.server) return 'gone';
  const old = panes.filter((pane) => pane.helper === agent && pane.epoch === epoch);
  if (old.some(({ isDead }) => !isDead)) return 'running';
  for (const { pane } of old) {
    const isIt = allOf(
      equal('#{pane_id}', pane),
      equal(serverFormat, server.id),
      equal(`#{${marks.helper}}`, agent),
      '#{pane_dead}',
    );
    await connection.ask(guarded(pane, isIt, [['kill-pane', '-t', pane]]));
  }
  const session = mine.sessions.find((candidate) => candidate !== server.hub) ?? server.hub;
  const wanted = { ...helper, agent, epoch, called: helper.name };
  await startProgram(connection, ledgerId, helperOf(wanted, helper, session));
  return 'started';
}
