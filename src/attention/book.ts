import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { parseJson } from '../shared/json.ts';
import { form, isNoted } from './is-noted.ts';
import type { Open } from './remember.ts';

/** What a daemon notes for the next one. */
export interface Noted {
  readonly open: readonly Open[];
  /** Messages to the user up to this one have been told; undefined: none has been looked at. */
  readonly mail: number | undefined;
  /** Of the programs that run, the marks by which they are found. */
  readonly running: readonly string[];
}

/** No daemon has noted anything, or nobody can tell what. */
export const nothing: Noted = { open: [], mail: undefined, running: [] };

/**
 * What was told, in one file, so that the next daemon does not tell it again. It is written before
 * anything is shown: a daemon that is killed in between has told it once, or not at all, and the
 * notice in the inbox, which has the ledger's guarantees, comes in any case. A file that is
 * missing, damaged or of another version counts for nothing: what it held may be told twice.
 */
export class Book {
  readonly #path: string;
  #written = '';

  constructor(path: string) {
    this.#path = path;
  }

  /** Throws what the system says: one that cannot be read may hold anything (rule 41). */
  read(): Noted {
    const text = this.#readText();
    if (text === undefined) return nothing;
    const noted = parseJson(text);
    if (!isNoted(noted)) return nothing;
    const { open, mail, running = [] } = noted;
    return { open: open.map(restore), mail, running };
  }

  /** Throws what the system says, such as that the disk is full. */
  write({ open, mail, running }: Noted): void {
    const told = open.filter((one) => one.told.length > 0);
    const text = `${JSON.stringify({ form, open: told, mail, running })}\n`;
    if (text === this.#written) return;
    const draft = `${this.#path}.new-${process.pid}`;
    // Without a sync: it outlives a killed daemon, and a power cut may cost a second notification.
    writeFileSync(draft, text, { mode: 0o600 });
    renameSync(draft, this.#path);
    this.#written = text;
  }

  #readText(): string | undefined {
    try {
      return readFileSync(this.#path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }
}

/** Monotonic times of another process, or of another boot, mean nothing here. */
function restore(open: Open): Open {
  return { ...open, seenAtMs: Number.POSITIVE_INFINITY, lastSeenAtMs: undefined };
}
