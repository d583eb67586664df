import type { Connection } from './connection.ts';
import { guarded, identityFormat, marks } from './identity.ts';
import type { Pane } from './panes.ts';
import { terminalOf } from './sights.ts';

/**
 * When a program prints and ends at once, tmux (3.3a) takes its last bytes to the screen and drops them from the stream: of
 * twenty programs that printed one line and left, ten had an empty log. So the last screen goes into the log behind what
 * was streamed, once for each pane; the mark stays with the pane, for a daemon that is started in between.
 */
export async function logLastWords(
  connection: Connection,
  ledgerId: string,
  panes: readonly Pane[],
): Promise<void> {
  const { id } = connection.server();
  for (const pane of panes) {
    const terminal = pane.isDead && !pane.isNoted ? terminalOf(pane, id) : undefined;
    if (!terminal) continue;
    const target = terminal.pane;
    const list = guarded(target, identityFormat(ledgerId, terminal), [
      ['set-option', '-p', '-t', target, marks.noted, '1'],
      ['capture-pane', '-p', '-t', target],
    ]);
    const blocks = await connection.ask(list, { isRaw: true });
    const screen = blocks.length === 3 ? (blocks[2]?.text.trimEnd() ?? '') : '';
    const text = `its program ended; its last screen was]\n${screen}\n[signalbox: end of the screen`;
    connection.link.tell({ kind: 'note', pane: target, text });
  }
}
