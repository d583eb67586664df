import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../shared/clock.ts';
import { isDiskTrouble } from '../../shared/disk-trouble.ts';
import { isObject } from './request.ts';
import { textOf } from './wire.ts';

/**
 * What we know of one terminal that we began, however little: it is found again by this after every
 * crash of ours.
 */
export interface Note extends Life {
  readonly folder: string;
  /** The one we launched into; undefined when we died before we knew. */
  readonly terminal: string | undefined;
  /** Where it was last seen; empty before. */
  readonly pane: string;
  readonly server: string;
  /** Of the program: with its pid, what tells it from a later one. */
  readonly startedAt: string;
  /** Wall time. */
  readonly notedAt: number;
}

export interface Ending {
  readonly exitCode?: number;
  readonly exitSignal?: string;
}

/**
 * One folder per terminal of this ledger, below the state folder. herdr's own labels and tokens are
 * for people and do not outlive its server; what is ours is decided here, by the terminal that was
 * launched into or by the process in it.
 */
export class Notes {
  readonly #folder: string;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #known: Map<string, Note>;

  constructor(folder: string, clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
    this.#folder = join(folder, 'terminals');
    const folders = listFolders(this.#folder);
    for (const folder of folders) {
      if (folder.endsWith(gone)) rmSync(folder, { recursive: true, force: true });
    }
    this.#known = new Map(
      folders.map(readNote).flatMap((note) => (note ? [[note.folder, note]] : [])),
    );
  }

  /** Before anything is started. Throws when the disk is full: then nothing is. */
  begin(life: Life, server: string, files: { readonly env: string; readonly keep: string }): Note {
    const { agent, epoch, helper } = life;
    const folder = this.#folderOf(life);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, 'env'), files.env, { mode: 0o600 });
    writeFileSync(join(folder, 'keep'), files.keep, { mode: 0o600 });
    if (helper !== '') writeFileSync(join(folder, 'behind'), '', { mode: 0o600 });
    const notedAt = this.#clock.now();
    const unknown = { terminal: undefined, pane: '', startedAt: '' };
    return this.#write({ agent, epoch, helper, folder, server, notedAt, ...unknown });
  }

  /** From now on it is ours by its terminal. */
  found(note: Note, terminal: string, startedAt = ''): Note {
    return this.#write({ ...note, terminal, startedAt });
  }

  /** Its address, which changes with a move. One that was closed meanwhile has no note any more. */
  seenAt(note: Note, pane: string): Note {
    if (note.pane === pane || !existsSync(note.folder)) return { ...note, pane };
    return this.#write({ ...note, pane });
  }

  /**
   * Its host may be writing there this moment: the name goes first, and the host ends when it finds
   * that out. A program that was begun before that is in what was moved; none is begun afterwards.
   */
  forget(note: Note, look: (moved: Note) => void = () => undefined): void {
    const { folder } = note;
    this.#known.delete(folder);
    const moved = `${folder}${gone}`;
    try {
      rmSync(moved, { recursive: true, force: true });
      renameSync(folder, moved);
    } catch {
      return; // Gone already.
    }
    look({ ...note, folder: moved });
    rmSync(moved, { recursive: true, force: true, maxRetries: 3 });
  }

  all(): readonly Note[] {
    return [...this.#known.values()];
  }

  find(life: Life): Note | undefined {
    return this.#known.get(this.#folderOf(life));
  }

  #write(note: Note): Note {
    const path = join(note.folder, noteName);
    const { folder: _, ...kept } = note;
    writeFileSync(`${path}.new`, JSON.stringify(kept), { mode: 0o600 });
    renameSync(`${path}.new`, path);
    this.#known.set(note.folder, note);
    return note;
  }

  #folderOf({ agent, epoch, helper }: Life): string {
    const name = helper === '' ? `${agent}-${epoch}` : `${agent}-${epoch}.${helper}`;
    return join(this.#folder, encodeURIComponent(name).replaceAll('~', '%7E'));
  }
}

const noteName = 'note.json';
/** At the end of a name: what we were removing. No name of a terminal's folder has a `~`. */
const gone = '~';

/** Of the program, or of its host, as that noted it; undefined while it has not begun. */
export function readPid({ folder }: Note, of: 'pid' | 'host' = 'pid'): number | undefined {
  const text = readText(join(folder, of));
  return text?.endsWith('\n') ? Number(text) : undefined;
}

/** How the program ended, once its host has said so. */
export function readEnding({ folder }: Note): Ending | undefined {
  const text = readText(join(folder, 'exit'));
  if (!text?.endsWith('\n')) return undefined;
  const code = Number(text);
  // A shell's way to say it: a program that itself exits with such a number cannot be told apart.
  const signal = code > 128 ? signalNames.get(code - 128) : undefined;
  return signal === undefined ? { exitCode: code } : { exitSignal: signal };
}

export interface Life {
  readonly agent: string;
  readonly epoch: number;
  /** Empty for the agent itself. */
  readonly helper: string;
}

const signalNames = new Map(Object.entries(constants.signals).map(([name, n]) => [n, name]));

function listFolders(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch (error) {
    // What cannot be listed may be there: nobody's terminal is gone by that (rule 41).
    if (isDiskTrouble(error)) throw error;
    return []; // Nothing was ever launched.
  }
}

function readNote(folder: string): Note | undefined {
  try {
    const said: unknown = JSON.parse(readFileSync(join(folder, noteName), 'utf8'));
    if (!isObject(said)) return undefined;
    const { terminal } = said;
    return {
      agent: textOf(said, 'agent'),
      epoch: Number(said['epoch']),
      helper: textOf(said, 'helper'),
      folder,
      terminal: typeof terminal === 'string' ? terminal : undefined,
      pane: textOf(said, 'pane'),
      server: textOf(said, 'server'),
      startedAt: textOf(said, 'startedAt'),
      notedAt: Number(said['notedAt']),
    };
  } catch (error) {
    if (isDiskTrouble(error)) throw error;
    return undefined; // Cut off by a full disk: then it was not begun either.
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // Its host has not written it yet, or it is forgotten.
  }
}
