import type { Pane } from '../model/panes.ts';
import type { Session } from '../model/session.ts';
import { type Peer, pollMs } from '../wire/connections.ts';
import type { Json } from '../wire/json.ts';
import type { Screen, Size } from './terminals.ts';

/**
 * What `herdr terminal session observe|control TARGET` shows, frame by frame. THE SHAPE OF A FRAME IS NOT MEASURED: of herdr
 * 0.8.0 we know "NDJSON ANSI frames" alone. The names are those that public clients of herdr read:
 * `{"type":"terminal.frame","seq","encoding":"ansi","width","height","full","bytes":<base64>}`, then
 * `{"type":"terminal.closed","reason"}`. Here every frame is a full one.
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
    const bytes = paint(screen, crop);
    if (bytes !== last) peer.send(frame(++sequence, bytes, crop ?? screen.size));
    last = bytes;
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
    full: true,
    bytes: Buffer.from(bytes).toString('base64'),
  };
}

/** One synchronised repaint: clear, every row at its place, the cursor last. */
function paint(screen: Screen, crop: Size | undefined): string {
  const rows = screen.lines.slice(0, crop?.rows ?? screen.lines.length);
  const body = rows.map((row, index) => `\x1b[${index + 1};1H\x1b[0m${row}`).join('');
  const { x, y } = screen.cursor;
  return `\x1b[?2026h\x1b[2J${body}\x1b[0m\x1b[${y + 1};${x + 1}H\x1b[?2026l`;
}
