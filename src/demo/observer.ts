import type { AcceptedFact, ReceivedFact, SendingFact } from './account.ts';
import { type Entry, type HoldPlace, JournalReader } from './journal.ts';
import { team } from './team.ts';

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
  readonly received: (ReceivedFact & { readonly pid: number })[] = [];
  /** Sends repeated under the same key, for which the ledger named the message it had already. */
  resent = 0;
  /** Of programs that ended by themselves. */
  readonly failures: string[] = [];
  readonly #reader: JournalReader;
  readonly #lives = new Map<string, Life>();
  readonly #does = new Map<string, string>();
  readonly #resting = new Set<number>();
  readonly #held = new Map<number, HoldPlace>();
  /** By program: what was handed to it and is not answered for, as far as anybody can be sure. */
  readonly #inHand = new Map<string, Set<string>>();

  constructor(home: string) {
    this.#reader = new JournalReader(home);
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

  inHand(agent: string): readonly string[] {
    return [...(this.#inHand.get(agent) ?? [])];
  }

  isHeld(agent: string, at: HoldPlace): boolean {
    return this.#held.get(this.#lives.get(agent)?.pid ?? 0) === at;
  }

  get isResting(): boolean {
    return team.every((agent) => this.#resting.has(this.#lives.get(agent)?.pid ?? 0));
  }

  get repeats(): number {
    return this.received.filter((copy) => copy.repeat).length;
  }

  /** Received by a later life of the agent than that one: with its mark, without, or not at all. */
  cameAgain(agent: string, id: string, before: Life): 'marked' | 'unmarked' | 'not-yet' {
    const copy = this.received.find(
      (one) => one.by === agent && one.id === id && one.pid !== before.pid,
    );
    if (!copy) return 'not-yet';
    return copy.repeat ? 'marked' : 'unmarked';
  }

  close(): void {
    this.#reader.close();
  }

  #note(entry: Entry): void {
    const { agent: by, pid } = entry;
    const hand = this.#inHand.get(by) ?? new Set();
    this.#inHand.set(by, hand);
    switch (entry.fact) {
      case 'started': {
        const count = (this.#lives.get(by)?.count ?? 0) + 1;
        this.#lives.set(by, { pid, startedAt: entry.startedAt, count });
        this.#does.delete(by);
        hand.clear();
        return;
      }
      case 'failed':
        this.failures.push(`${by}: ${entry.why}`);
        return;
      case 'resting':
        this.#resting.add(pid);
        return;
      case 'doing':
        this.#does.set(by, entry.text);
        return;
      case 'handed':
        for (const id of entry.ids) hand.add(id);
        return;
      case 'holding':
        this.#held.set(pid, entry.at);
        return;
      case 'received':
        for (const copy of entry.copies) this.received.push({ by, pid, ...copy });
        return;
      case 'sending':
        // From here on it may be answered for, and from its confirmation on it is.
        if (entry.answers !== undefined) hand.delete(entry.answers);
        this.sending.push({ by, to: entry.to, text: entry.text });
        return;
      case 'accepted':
        this.accepted.push({ by, id: entry.id, to: entry.to, text: entry.text });
        if (entry.duplicate) this.resent++;
        return;
      case 'finishing':
        for (const id of entry.ids) hand.delete(id);
        return;
    }
  }
}
