import type { AcceptedFact, ReceivedFact, SendingFact } from './account.ts';
import { type Copy, type Entry, JournalReader } from './journal.ts';

/** One life of one agent's program, as the program tells it. */
export interface Life {
  readonly pid: number;
  readonly startedAt: string;
  readonly count: number;
}

/** Keeps what the programs wrote down. It never asks the ledger. */
export class Observer {
  readonly sending: SendingFact[] = [];
  readonly accepted: AcceptedFact[] = [];
  readonly received: ReceivedFact[] = [];
  /**
   * Handed over again under the same key, by programs that were not told what became of the first.
   */
  resent = 0;
  /** Of programs that ended by themselves. */
  readonly failures: string[] = [];
  readonly #reader: JournalReader;
  readonly #tell: (agent: string, text: string) => void;
  readonly #lives = new Map<string, Life>();
  readonly #does = new Map<string, string>();
  readonly #held = new Map<string, string>();

  constructor(home: string, tell: (agent: string, text: string) => void = () => undefined) {
    this.#reader = new JournalReader(home);
    this.#tell = tell;
  }

  /** Reads what is new. */
  look(): void {
    for (const entry of this.#reader.read()) this.#note(entry);
  }

  life(agent: string): Life | undefined {
    return this.#lives.get(agent);
  }

  doing(agent: string): string {
    return this.#does.get(agent) ?? '';
  }

  isHeld(agent: string, at: string): boolean {
    return this.#held.get(agent) === at;
  }

  /** A letter from one to the other has arrived, or anything that no program wrote. */
  hasReceived(by: string, isIt: (copy: Copy) => boolean): boolean {
    return this.received.some((copy) => copy.by === by && isIt(copy));
  }

  get repeats(): number {
    return this.received.filter((copy) => copy.repeat).length;
  }

  close(): void {
    this.#reader.close();
  }

  #note(entry: Entry): void {
    const { agent: by, pid } = entry;
    switch (entry.fact) {
      case 'started': {
        const count = (this.#lives.get(by)?.count ?? 0) + 1;
        this.#lives.set(by, { pid, startedAt: entry.startedAt, count });
        this.#does.delete(by);
        this.#held.delete(by);
        return;
      }
      case 'failed':
        this.failures.push(`${by}: ${entry.why}`);
        return;
      case 'doing':
        this.#does.set(by, entry.text);
        return;
      case 'story':
        this.#tell(by, entry.text);
        return;
      case 'holding':
        this.#held.set(by, entry.at);
        return;
      case 'received':
        for (const copy of entry.copies) this.received.push({ by, ...copy });
        return;
      case 'sending': {
        const { to, text } = entry;
        const isAgain = this.sending.some((one) => one.by === by && one.text === text);
        if (isAgain) this.resent++;
        else this.sending.push({ by, to, text });
        return;
      }
      case 'accepted': {
        const { id, to, text } = entry;
        this.accepted.push({ by, to, text, ...(id === undefined ? {} : { id }) });
        return;
      }
    }
  }
}
