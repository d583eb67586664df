import type { Pane } from '../model/panes.ts';
import type { Session } from '../model/session.ts';
import { type Peer, pollMs } from '../wire/connections.ts';
import type { Json } from '../wire/json.ts';
import type { Screen, Size } from './terminals.ts';

/**
 * What `herdr terminal session observe|control TARGET` shows, frame by frame, as others have seen
 * it on herdr 0.8.2:
 *
 *     {"type":"terminal.frame","seq","encoding":"ansi","width","height","full","bytes":<base64>}
 *     {"type":"terminal.closed","reason"}
 *
 * The first frame is a full one, later ones change what is there; each is one synchronised update
 * that ends with the cursor. The width and height are those that were asked for: what does not fit
 * is cut off, and nothing is wrapped anew. There is the end state alone, never what scrolled past.
 */
export function streamFrames(
  session: Session,
  pane: Pane,
  peer: Pick<Peer, 'answer' | 'send'>,
  crop: Size | undefined,
): () => void {
  let isOver = false;
  let sequence = 0;
  let last = '';
  let timer: NodeJS.Timeout | undefined;
  const look = async () => {
    const wish = { isAnsi: true };
    const screen = await session.parts.terminals
      .capture(pane.terminal, wish)
      .catch(() => undefined);
    if (isOver) return;
    if (!screen || !session.panes.includes(pane)) {
      peer.answer({ type: 'terminal.closed', reason: 'terminal closed' });
      return;
    }
    const bytes = paint(screen, crop, sequence === 0);
    if (bytes !== last) peer.send(frame(++sequence, bytes, crop ?? screen.size));
    last = sequence === 1 ? paint(screen, crop, false) : bytes;
    timer = setTimeout(() => void look(), pollMs);
  };
  void look();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

function frame(seq: number, bytes: string, size: Size): Json {
  return {
    type: 'terminal.frame',
    seq,
    encoding: 'ansi',
    width: size.cols,
    height: size.rows,
    full: seq === 1,
    bytes: Buffer.from(bytes).toString('base64'),
  };
}

/** Every row at its place, the cursor last. */
function paint(screen: Screen, crop: Size | undefined, isFirst: boolean): string {
  const rows = screen.lines.slice(0, crop?.rows ?? screen.lines.length);
  const body = rows.map((row, index) => `\x1b[${index + 1};1H\x1b[0m${row}\x1b[0m\x1b[K`).join('');
  const { x, y, isShown } = screen.cursor;
  const cursor = `\x1b[${y + 1};${x + 1}H\x1b[?25${isShown ? 'h' : 'l'}`;
  return `\x1b[?2026h${isFirst ? '\x1b[2J' : ''}${body}${cursor}\x1b[?2026l`;
}
