import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { reportBug } from '../shared/report-bug.ts';
import type { Open } from './remember.ts';

/** What a daemon notes for the next one. */
export interface Noted {
  readonly open: readonly Open[];
  /** Messages to the user up to this one have been told; undefined: none has been looked at. */
  readonly mail: number | undefined;
  /** Of the programs that run, the marks by which they are found. */
  readonly running: readonly string[];
}

const form = 1;

/**
 * What was told, in one file, so that the next daemon does not tell it again. It is written before
 * anything is shown: a daemon that is killed in between has told it once, or not at all, and the
 * notice in the inbox, which has the ledger's guarantees, comes in any case. A file that is
 * missing, damaged or of another version counts for nothing.
 */
export class Book {
  readonly #path: string;
  #written = '';

  constructor(path: string) {
    this.#path = path;
  }

  read(): Noted {
    try {
      const noted: unknown = JSON.parse(readFileSync(this.#path, 'utf8'));
      if (isNoted(noted)) return restoreAll(noted);
    } catch (error) {
      // No daemon has noted anything, or it cannot be read: then something may be told twice.
      if (!(error instanceof SyntaxError)) reportBug('reading what was told', error);
    }
    return { open: [], mail: undefined, running: [] };
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
}

/** Earlier versions have not noted what runs. */
function restoreAll({ open, mail, running }: Noted): Noted {
  const marks = Array.isArray(running) ? running.filter((mark) => typeof mark === 'string') : [];
  return { open: open.map(restore), mail, running: marks };
}

/** Monotonic times of another process, or of another boot, mean nothing here. */
function restore(open: Open): Open {
  return { ...open, seenAtMs: Number.POSITIVE_INFINITY, lastSeenAtMs: undefined };
}

function isNoted(noted: unknown): noted is Noted {
  if (typeof noted !== 'object' || noted === null) return false;
  const { form: has, open } = noted as { readonly form?: unknown; readonly open?: unknown };
  return has === form && Array.isArray(open) && open.every(isOpen);
}

function isOpen(one: unknown): one is Open {
  const { cause, told, lastSince } = (one ?? {}) as Partial<Open>;
  const isCause = typeof cause?.agent?.id === 'string' && typeof cause.text === 'string';
  return isCause && Array.isArray(told) && typeof lastSince === 'number';
}
