import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** What an agent's program writes down, each before its next step begins. The account is counted from these alone. */
export type Fact =
  | { readonly fact: 'started'; readonly startedAt: string }
  /** It ends by itself, and why. */
  | { readonly fact: 'failed'; readonly why: string }
  /** Asked to begin nothing new; it still answers what it gets. */
  | { readonly fact: 'resting' }
  | { readonly fact: 'doing'; readonly text: string }
  /** A drain returned these; the program has not looked at them yet. */
  | { readonly fact: 'handed'; readonly ids: readonly string[] }
  /** The program has read them; it has not answered for them yet. */
  | { readonly fact: 'received'; readonly copies: readonly Copy[] }
  | { readonly fact: 'holding'; readonly at: HoldPlace }
  /** `send` is called next, so it may be accepted although nobody lives to say so. */
  | {
      readonly fact: 'sending';
      readonly to: string;
      readonly text: string;
      readonly answers?: string;
    }
  /** `send` returned. `to` is whom the program asked for, not what the ledger made of it. */
  | {
      readonly fact: 'accepted';
      readonly id: string;
      readonly to: string;
      readonly text: string;
      /** The ledger had it already, under the same key. */
      readonly duplicate: boolean;
    }
  /** The drain is confirmed next. */
  | { readonly fact: 'finishing'; readonly ids: readonly string[] };

export interface Copy {
  readonly id: string;
  readonly from: string;
  readonly text: string;
  /** This copy said that it may be a second one. */
  readonly repeat: boolean;
}

/**
 * Where a program can be held so that it is killed exactly there: with messages that it has not read, that it has read, or in
 * the middle of answering, when a send is accepted and it has not been told.
 */
export type HoldPlace = 'handed' | 'received' | 'sent';

export type Entry = Fact & { readonly agent: string; readonly pid: number };

/**
 * One file for all of them, in the order in which things happened: an append of one line is one write, and whole in the file
 * before the next step, whatever kills the program then. It goes through no part of what is being shown.
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

/** Reads what was added since the last call; a line that is still being written waits for the next. */
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
