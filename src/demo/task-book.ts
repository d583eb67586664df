import type { Entry, Fact } from './journal.ts';
import { type Letter, recipientOf, taskAnswered, taskSent, workers, writeTask } from './team.ts';

/** So many tasks of one agent are open at a time: one to work on, one that waits. */
const openTasks = 2;

/**
 * What the lead has given out and got back. It is rebuilt from the journal, the lead's own notes: a lead that was killed goes
 * on where it was, and sends again, under the same key, what it had not been told is accepted (rule 33).
 */
export class TaskBook {
  readonly #sent = new Set<number>();
  readonly #accepted = new Set<number>();
  readonly #answered = new Set<number>();

  constructor(notes: readonly Entry[]) {
    for (const note of notes) this.note(note);
  }

  note(fact: Fact): void {
    if (fact.fact === 'sending') add(this.#sent, taskSent(fact.text));
    if (fact.fact === 'accepted') add(this.#accepted, taskSent(fact.text));
    if (fact.fact === 'received') {
      for (const { text } of fact.copies) add(this.#answered, taskAnswered(text));
    }
  }

  /** What is to be given out now: first what may be on its way already, then each agent's next. */
  due(): readonly Letter[] {
    const sent = [...this.#sent];
    const letters = sent.filter((n) => !this.#accepted.has(n)).map(writeTask);
    for (const [index, name] of workers.entries()) {
      const own = sent.filter((n) => recipientOf(n) === name);
      const open = own.filter((n) => !this.#answered.has(n)).length;
      for (let count = own.length; count < own.length + openTasks - open; count++) {
        letters.push(writeTask(index + 1 + count * workers.length));
      }
    }
    return letters;
  }
}

function add(numbers: Set<number>, n: number | undefined): void {
  if (n !== undefined) numbers.add(n);
}
