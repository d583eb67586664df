import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { callName } from '../agents/reference.ts';
import { agentLogPath, daemonLogPath, findFolders } from '../config/folders.ts';
import { requireOwnFolder } from '../config/own-folder.ts';
import { requireUser } from '../fleet/permissions.ts';
import { resolveAgent } from '../fleet/resolve-agent.ts';
import type { AgentName } from '../protocol/agents.ts';
import { nameView } from '../protocol/views.ts';
import { systemClock } from '../shared/clock.ts';
import { Fault } from '../shared/fault.ts';
import { FreshLines } from '../terminals/fresh-lines.ts';
import { cutToDraw, settleNotes } from '../terminals/log-start.ts';
import { drawOutput } from '../terminals/render-output.ts';
import { launchSize } from '../terminals/terminal.ts';
import { openContext } from './direct/open.ts';

/** How often a file is looked at that is followed. */
const lookMs = 200;
/** Read at once. */
const pieceBytes = 64 * 1024;

export interface LogSource {
  readonly path: string;
  /** Undefined for the daemon's own log. */
  readonly agent?: AgentName;
}

/**
 * The log of the daemon, or the raw output of an agent's terminal. Files are read as they are: no
 * daemon is needed.
 */
export async function findLog(env: NodeJS.ProcessEnv, agent?: string): Promise<LogSource> {
  const folders = findFolders(env);
  requireOwnFolder(folders);
  if (agent === undefined) return { path: daemonLogPath(folders) };
  const { ledger, caller: asker } = await openContext(env);
  const caller = asker.agent;
  try {
    const found = await ledger.read((tx) => resolveAgent(tx, agent, asker));
    const { id, backend } = found;
    const name = callName(found);
    // As by HTTP and the tools: what another's terminal printed, raw and in full, is the user's.
    if (caller.id !== id) requireUser(caller, 'read the log of another agent');
    const path = agentLogPath(folders, id);
    if (backend !== 'none') {
      if (!mayHaveLog(backend, path)) throw noLog(name, backend);
      return { path, agent: nameView(found) };
    }
    throw new Fault(
      'wrong-state',
      `"${name}" has no terminal of ours, and so no log.`,
      'See `signalbox inbox list` for its messages.',
    );
  } finally {
    await ledger.close();
  }
}

/**
 * Only the daemon knows what a backend can tell in the version that is there; a log that exists is
 * shown, whoever wrote it.
 */
function mayHaveLog(backend: string, path: string): boolean {
  return backend === 'tmux' || statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function noLog(name: string, backend: string): Fault {
  return new Fault(
    'wrong-state',
    `There is no log of what "${name}" printed: ${backend} tells no raw output.`,
    `See its screen with \`signalbox output ${name}\`, its words with \`signalbox output ${name} --full\`.`,
  );
}

export interface DrawnLog {
  readonly end: Buffer;
  /** After more bytes, or none: the lines that are news by now. */
  readonly follow: (bytes: Buffer) => Promise<Buffer>;
}

/**
 * The last lines of an agent's log, as a person would have seen them; undefined where it cannot be
 * drawn in time.
 */
export async function drawLog(kept: Buffer, count: number): Promise<DrawnLog | undefined> {
  const drawing = await drawOutput(settleNotes(cutToDraw(kept, drawnBytes)), launchSize);
  if (!drawing) return undefined;
  const end = toBytes(drawing.lines().slice(-count));
  const fresh = new FreshLines();
  fresh.skip(drawing.takeRows());
  const follow = async (bytes: Buffer): Promise<Buffer> => {
    await drawing.write(settleNotes(bytes));
    return toBytes(fresh.take(drawing.takeRows(), systemClock.monotonicMs()));
  };
  return { end, follow };
}

function toBytes(lines: readonly string[]): Buffer {
  return Buffer.from(lines.map((line) => `${line}\n`).join(''));
}

/** Enough of the end of a log for any number of lines that a person reads. */
const drawnBytes = 4 * 1024 * 1024;

/** The last bytes of a log, at most; empty when it does not exist yet. */
export function readEnd(path: string, maxBytes: number): Buffer {
  const fd = openLog(path);
  if (fd === undefined) return readRotated(path, undefined, maxBytes);
  try {
    return readAcross(path, fd, maxBytes).bytes;
  } finally {
    closeSync(fd);
  }
}

interface LogEnd {
  readonly bytes: Buffer;
  /** Up to where the opened file was read. */
  readonly position: number;
}

/** A log that was just rotated has little of its own: its last lines are in the file before. */
function readAcross(path: string, fd: number, maxBytes: number): LogEnd {
  const { bytes, position } = readEndOf(fd, maxBytes);
  const before = readRotated(path, fd, maxBytes - bytes.length);
  return { bytes: before.length === 0 ? bytes : Buffer.concat([before, bytes]), position };
}

/** Of the file before, unless that is the opened one, rotated since. */
function readRotated(path: string, opened: number | undefined, maxBytes: number): Buffer {
  const fd = maxBytes > 0 ? openLog(`${path}.1`) : undefined;
  if (fd === undefined) return Buffer.alloc(0);
  try {
    const isOpened = opened !== undefined && fstatSync(opened).ino === fstatSync(fd).ino;
    return isOpened ? Buffer.alloc(0) : readEndOf(fd, maxBytes).bytes;
  } finally {
    closeSync(fd);
  }
}

function readEndOf(fd: number, maxBytes: number): LogEnd {
  const { size } = fstatSync(fd);
  const bytes = Buffer.alloc(Math.min(size, maxBytes));
  const start = size - bytes.length;
  const read = readSync(fd, bytes, 0, bytes.length, start);
  return { bytes: bytes.subarray(0, read), position: start + read };
}

/**
 * The end of a log, and then what is written after it, across rotations, until whoever reads it
 * stops; nothing, each time that it looked and there was no more. Both from one opened file: what
 * is written, or rotated away, between the two is not missed.
 */
export function followLog(
  path: string,
  maxBytes: number,
): { readonly end: Buffer; readonly more: AsyncGenerator<Buffer, void> } {
  const fd = openLog(path);
  const end =
    fd === undefined
      ? { bytes: readRotated(path, undefined, maxBytes), position: 0 }
      : readAcross(path, fd, maxBytes);
  return { end: end.bytes, more: follow(path, fd, end.position) };
}

async function* follow(
  path: string,
  opened: number | undefined,
  from: number,
): AsyncGenerator<Buffer, void> {
  let fd = opened;
  let position = from;
  try {
    for (;;) {
      for (;;) {
        const piece = fd === undefined ? undefined : readPiece(fd, position);
        if (!piece) break;
        position += piece.length;
        yield piece;
      }
      // Rotated, or cut: the rest of the old file has been read above.
      if (fd === undefined || isReplaced(path, fd, position)) {
        if (fd !== undefined) closeSync(fd);
        fd = openLog(path);
        position = 0;
        if (fd !== undefined) continue;
      }
      yield Buffer.alloc(0);
      await systemClock.sleep(lookMs);
    }
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function readPiece(fd: number, position: number): Buffer | undefined {
  const bytes = Buffer.alloc(pieceBytes);
  const read = readSync(fd, bytes, 0, bytes.length, position);
  return read === 0 ? undefined : bytes.subarray(0, read);
}

function isReplaced(path: string, fd: number, position: number): boolean {
  const now = statSync(path, { throwIfNoEntry: false });
  return now !== undefined && (now.ino !== fstatSync(fd).ino || now.size < position);
}

function openLog(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ENOTDIR'].includes(code)) return undefined;
    throw new Fault(
      'ledger-unwritable',
      `The log ${path} cannot be read: ${message}.`,
      'Make it readable, or look into it as its owner.',
      { cause: error },
    );
  }
}
