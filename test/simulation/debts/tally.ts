const rows = [
  'tasks',
  'tasks refused',
  'tasks given on, one level below',
  'questions',
  'questions answered',
  'stops of turns',
  'turn ends told again',
  'turn ends told out of order',
  'turn ends told late',
  'turn ends that a hook wrote down by itself',
  'hooks killed before they had told',
  'daemon killed',
  'daemon ended in order',
  'API down for a while',
  'workers killed',
  'workers restarted',
  'workers removed',
  'answered by the end of a turn',
  'answered in words',
  'ended: exited',
  'ended: removed',
  'ended: dead',
  'reminders',
  'told that no answer came',
  'open: a question waits for its answer',
  'open: told',
  'open: its giver is gone',
  'open: waits below',
] as const;

export type Counted = (typeof rows)[number];

/** What happened in storms of debts. */
export class Tally {
  readonly #numbers = new Map<Counted, number>();

  note(what: Counted, times = 1): void {
    this.#numbers.set(what, this.read(what) + times);
  }

  read(what: Counted): number {
    return this.#numbers.get(what) ?? 0;
  }

  add(other: Tally): void {
    for (const what of rows) this.note(what, other.read(what));
  }

  /** What the storms did not show. */
  listMissing(): readonly Counted[] {
    return rows.filter((what) => this.read(what) === 0);
  }

  /** A table in Markdown. */
  format(): string {
    const lines = rows.map((what) => `| ${what} | ${this.read(what).toLocaleString('en')} |`);
    return ['| | |', '| --- | ---: |', ...lines].join('\n');
  }
}
