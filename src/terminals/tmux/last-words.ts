import type { Clock } from '../../shared/clock.ts';
import { endedNote } from '../output-log.ts';
import type { Command, CommandList } from './command.ts';
import type { Connection } from './connection.ts';
import { allOf, equal, gone, guarded, identityFormat, marks, serverFormat } from './identity.ts';
import type { Pane } from './panes.ts';
import { terminalOf } from './sights.ts';
import type { Started } from './start-program.ts';

/**
 * When a program prints and ends at once, tmux (3.3a) takes its last bytes to the screen and drops
 * them from the stream: of twenty programs that printed one line and left, ten had an empty log. So
 * the last screen goes into the log behind what was streamed, once for each pane; the mark stays
 * with the pane, for a daemon that is started in between.
 */
export async function logLastWords(
  connection: Connection,
  ledgerId: string,
  panes: readonly Pane[],
  clock: Clock,
): Promise<void> {
  const { id } = connection.server();
  for (const pane of panes) {
    const terminal = pane.isDead && !pane.isNoted ? terminalOf(pane, id) : undefined;
    if (!terminal) continue;
    const target = terminal.pane;
    const condition = identityFormat(ledgerId, terminal);
    const look = guarded(target, condition, [['capture-pane', '-p', '-t', target]]);
    const screen = await captureDrawn(connection, look, clock);
    if (screen === undefined) continue;
    const mark: Command = ['set-option', '-p', '-t', target, marks.noted, '1'];
    await connection.ask(guarded(target, condition, [mark]));
    const text = `${endedNote}]\n${screen}\n[signalbox: end of the screen`;
    connection.link.tell({ kind: 'note', pane: target, text });
  }
}

/** Of a program that was started a moment ago and has ended since. */
export async function readLastScreen(
  connection: Connection,
  { pane, server }: Pick<Started, 'pane' | 'server'>,
  clock: Clock,
): Promise<string | undefined> {
  const isIt = allOf(equal('#{pane_id}', pane), equal(serverFormat, server));
  return captureDrawn(connection, guarded(pane, isIt, [['capture-pane', '-p', '-t', pane]]), clock);
}

/** The end may be known a moment before the last bytes are drawn. */
async function captureDrawn(
  connection: Connection,
  look: CommandList,
  clock: Clock,
): Promise<string | undefined> {
  let screen = await capture(connection, look);
  for (let tries = 0; screen === '' && tries < blankTries; tries++) {
    await clock.sleep(blankMs);
    screen = await capture(connection, look);
  }
  return screen;
}

const blankTries = 3;
const blankMs = 30;

/** Undefined when the guard did not hold: then it is another's pane, or gone. */
async function capture(connection: Connection, list: CommandList): Promise<string | undefined> {
  const blocks = await connection.ask(list, { isRaw: true });
  return blocks.length === 2 && !blocks[1]?.isError && blocks[1]?.text !== gone
    ? blocks[1]?.text.trimEnd()
    : undefined;
}
