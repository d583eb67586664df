import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What an agent's program writes down, each before its next step begins. The account is counted
 * from these alone.
 */
export type Fact =
  | { readonly fact: 'started'; readonly startedAt: string }
  /** It ends by itself, and why. */
  | { readonly fact: 'failed'; readonly why: string }
  | { readonly fact: 'doing'; readonly text: string }
  /** What a person who watches may want to read. */
  | { readonly fact: 'story'; readonly text: string }
  /** The program has read them; it has not answered for them yet. */
  | { readonly fact: 'received'; readonly copies: readonly Copy[] }
  /** It stands at this place until it is told to go on. */
  | { readonly fact: 'holding'; readonly at: string }
  /** It is handed over next, so it may be accepted although nobody lives to say so. */
  | { readonly fact: 'sending'; readonly to: string; readonly text: string }
  /**
   * A tool returned, or a hook took the end of the turn. `to` is whom the program meant, not what
   * the ledger made of it.
   */
  | {
      readonly fact: 'accepted';
      /** The end of a turn is told no id. */
      readonly id?: string;
      readonly to: string;
      readonly text: string;
    };

export interface Copy {
  /** The short one, with the name of its recipient. */
  readonly id: string;
  readonly from: string;
  /** The word by which it is told from all others; empty for what no program wrote. */
  readonly text: string;
  /** This copy said that it may be a second one. */
  readonly repeat: boolean;
}

export type Entry = Fact & { readonly agent: string; readonly pid: number };

/**
 * One file for all of them, in the order in which things happened: an append of one line is one
 * write, and whole in the file before the next step, whatever kills the program then. It goes
 * through no part of what is being shown.
 */
export class Journal {
  readonly #fd: number;
  readonly #agent: string;

  constructor(home: string, agent: string) {
    this.#fd = openSync(journalPath(home), 'a', 0o600);
    this.#agent = agent;
  }

  note(fact: Fact): void {
    const entry: Entry = { ...fact, agent: this.#agent, pid: process.pid };
    writeSync(this.#fd, `${JSON.stringify(entry)}\n`);
  }
}

/**
 * Reads what was added since the last call; a line that is still being written waits for the next.
 */
export class JournalReader {
  readonly #fd: number;
  #at = 0;
  #rest = Buffer.alloc(0);

  constructor(home: string) {
    this.#fd = openSync(journalPath(home), 'a+', 0o600);
  }

  read(): readonly Entry[] {
    const chunks = [this.#rest];
    for (;;) {
      const chunk = Buffer.alloc(64 * 1024);
      const size = readSync(this.#fd, chunk, 0, chunk.length, this.#at);
      if (size === 0) break;
      this.#at += size;
      chunks.push(chunk.subarray(0, size));
    }
    const bytes = Buffer.concat(chunks);
    const end = bytes.lastIndexOf('\n') + 1;
    this.#rest = bytes.subarray(end);
    const lines = bytes.subarray(0, end).toString().split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line) as Entry);
  }

  close(): void {
    closeSync(this.#fd);
  }
}

function journalPath(home: string): string {
  return join(home, 'demo-journal.ndjson');
}
