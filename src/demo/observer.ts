import type { AcceptedFact, ReceivedFact } from './account.ts';
import type { Happening } from './moment.ts';
import type { Report } from './report.ts';
import { lead } from './team.ts';

/** Keeps what the programs said they sent and got. It never asks the ledger. */
export class Observer {
  readonly accepted: AcceptedFact[] = [];
  readonly received: ReceivedFact[] = [];
  /** Sends repeated under the same key, for which the ledger named the message it had already. */
  resent = 0;
  readonly #hands = new Set<string>();
  #jobs = 0;

  /** The first job that the lead has not been told is accepted. */
  get nextJob(): number {
    return this.#jobs + 1;
  }

  get repeats(): number {
    return this.received.filter((copy) => copy.repeat).length;
  }

  /** Writes it down, and says what is worth showing of it. */
  note(by: string, report: Report): Happening | undefined {
    switch (report.fact) {
      case 'accepted': {
        const { id, to, text, duplicate } = report;
        this.accepted.push({ by, id, to, text });
        if (duplicate) this.resent++;
        if (by === lead) this.#jobs = Math.max(this.#jobs, Number(text.split(' ')[1]));
        return { what: 'sent', from: by, to, text, duplicate };
      }
      case 'received': {
        const marked = report.copies.filter((copy) => copy.repeat);
        const known = marked.filter((copy) => this.#hands.has(`${by} ${copy.id}`)).length;
        for (const copy of report.copies) {
          this.received.push({ by, ...copy });
          this.#hands.add(`${by} ${copy.id}`);
        }
        const texts = marked.map((copy) => copy.text);
        return marked.length > 0 ? { what: 'repeated', agent: by, texts, known } : undefined;
      }
      case 'started':
      case 'resting':
        return undefined;
    }
  }
}
