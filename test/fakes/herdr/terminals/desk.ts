import { createServer, type Server } from 'node:net';
import { needPane } from '../model/lookup.ts';
import type { Pane } from '../model/panes.ts';
import type { Session } from '../model/session.ts';
import { ApiError } from '../wire/api-error.ts';
import type { Json } from '../wire/json.ts';
import { onLine } from '../wire/lines.ts';
import { numberOf, textOf } from '../wire/request-shapes.ts';
import { streamFrames } from './frames.ts';
import type { Size } from './terminals.ts';

/**
 * Behind the second socket: the terminals of panes, for watching and for steering. The real one
 * speaks a binary protocol here that nobody but herdr's own program uses; this is the fake's own,
 * one JSON line to open and one per command.
 */
export function openTerminalDesk(path: string, session: Session): Promise<Server> {
  const { controlled } = session;
  const holders = new Map<Pane, () => void>();
  const server = createServer((socket) => {
    const peer = {
      answer: (line: Json) => void socket.end(`${JSON.stringify(line)}\n`),
      send: (line: Json) => void socket.write(`${JSON.stringify(line)}\n`),
    };
    let pane: Pane | undefined;
    let isControl = false;
    let stop = () => {};
    // What is typed behind a change of size meets the new size.
    let work = Promise.resolve();
    socket.on('error', () => undefined); // The program at the other end may be killed at any time.
    const drop = () =>
      socket.end(`${JSON.stringify({ type: 'terminal.closed', reason: 'taken over' })}\n`);
    let before: Size | undefined;
    const release = () => {
      if (!pane || holders.get(pane) !== drop) return;
      holders.delete(pane);
      controlled.delete(pane);
      // The size that a controller set stays when it goes (H4).
      if (!before || session.parts.profile.has('kept-size')) return;
      const [target, size] = [pane, before];
      work = work.then(() => resize(session, target, size));
    };
    let isOver = false;
    socket.on('close', () => {
      isOver = true;
      stop();
      release();
    });
    onLine(socket, (text) => {
      const line = JSON.parse(text) as Json;
      if (pane) {
        const target = pane;
        if (isControl)
          work = work.then(() => command(session, target, line)).catch(() => undefined);
        if (line['type'] === 'terminal.release') {
          release();
          void work.then(() => peer.answer({ type: 'terminal.closed', reason: 'released' }));
        }
        return;
      }
      try {
        const found = findTarget(session, String(line['target']));
        const mode = textOf(line, 'mode');
        if (mode === 'control' && holders.has(found) && line['takeover'] !== true) {
          const why = 'already has an attached client; retry with --takeover';
          throw new ApiError('terminal_busy', `terminal ${found.terminal.id} ${why}`);
        }
        pane = found;
        isControl = mode === 'control';
        const size = sizeOf(line) ?? usual;
        if (isControl) {
          holders.get(found)?.();
          holders.set(found, drop);
          controlled.add(found);
          before = found.terminal.size;
          work = resize(session, found, size);
        }
        const crop = isControl ? undefined : size;
        // A controller's first frame has its size already.
        void work.then(() => {
          if (!isOver) stop = streamFrames(session, found, peer, crop);
        });
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        peer.answer({ type: 'terminal.closed', reason });
      }
    });
  });
  return new Promise((done) => server.listen(path, () => done(server)));
}

/** What whoever says no size gets, and with `control` the terminal too. */
const usual: Size = { cols: 120, rows: 40 };

/** Terminal ids are accepted here, and nowhere else. */
function findTarget(session: Session, target: string): Pane {
  return session.panes.find(({ terminal }) => terminal.id === target) ?? needPane(session, target);
}

async function command(session: Session, pane: Pane, line: Json): Promise<void> {
  const { terminals } = session.parts;
  if (line['type'] === 'terminal.input') {
    const text = textOf(line, 'text');
    const bytes = text ?? Buffer.from(textOf(line, 'bytes') ?? '', 'base64');
    await terminals.write(pane.terminal, Buffer.from(bytes));
  } else if (line['type'] === 'terminal.resize') {
    const size = sizeOf(line);
    if (size) await resize(session, pane, size);
  }
}

async function resize(session: Session, pane: Pane, size: Size): Promise<void> {
  const { terminals } = session.parts;
  await terminals.resize(pane.terminal, size);
  await terminals.untilResized(pane.terminal);
}

function sizeOf(line: Json): Size | undefined {
  const cols = numberOf(line, 'cols');
  const rows = numberOf(line, 'rows');
  return cols && rows ? { cols, rows } : undefined;
}
