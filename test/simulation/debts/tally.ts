const rows = [
  'workers and supervisors',
  'tasks',
  'tasks refused',
  'tasks given on, one level below',
  'questions',
  'questions answered',
  'questions answered without a reply',
  'words about something else',
  'stops of turns',
  'turn ends told again',
  'turn ends told out of order',
  'turn ends told late',
  'turn ends that a hook wrote down by itself',
  'hooks killed before they had told',
  'API down for a while',
  'killed',
  'restarted',
  'removed',
  'answered by the end of a turn',
  'answered in words',
  'answers that came marked as a repeat',
  'ended: exited',
  'ended: removed',
  'ended: dead',
  'ended: withdrawn',
  'reminders',
  'told that no answer came',
  'open: a question waits for its answer',
  'open: told',
  'open: its giver is gone',
  'open: waits below',
  'in vain at rest, at most (s)',
] as const;

/** In so few storms that their absence says nothing. */
const rare: readonly string[] = ['hooks killed before they had told'];

/** Of the daemon, and so of nobody's kind. */
const deaths = ['killed', 'ended in order'] as const;

export type Counted = (typeof rows)[number];
export type Death = (typeof deaths)[number];

const longest = 'in vain at rest, at most (s)';

/**
 * What happened in storms of debts, per kind of worker: whoever was given the task, stopped or was
 * killed.
 */
export class Tally {
  readonly #numbers = new Map<string, number>();
  readonly #kinds = new Set<string>();
  readonly #deaths = new Map<Death, number>();

  note(kind: string, what: Exclude<Counted, typeof longest>, times = 1): void {
    this.#set(kind, what, this.read(kind, what) + times);
  }

  reach(kind: string, what: typeof longest, value: number): void {
    this.#set(kind, what, Math.max(this.read(kind, what), value));
  }

  die(how: Death, times = 1): void {
    this.#deaths.set(how, (this.#deaths.get(how) ?? 0) + times);
  }

  read(kind: string, what: Counted): number {
    return this.#numbers.get(`${what} of ${kind}`) ?? 0;
  }

  add(other: Tally): void {
    for (const how of deaths) this.die(how, other.#deaths.get(how) ?? 0);
    for (const kind of other.#kinds) {
      for (const what of rows) {
        const value = other.read(kind, what);
        if (what === longest) this.reach(kind, what, value);
        else this.note(kind, what, value);
      }
    }
  }

  /** What the storms did not show. */
  listMissing(): readonly string[] {
    const missing = rows.filter((what) => !rare.includes(what) && this.#sum(what) === 0);
    return [...missing, ...deaths.filter((how) => (this.#deaths.get(how) ?? 0) === 0)];
  }

  /** In one line. */
  describe(): string {
    const answers = this.#sum('answered by the end of a turn') + this.#sum('answered in words');
    const died = deaths.map((how) => `${show(this.#deaths.get(how) ?? 0)} ${how}`).join(', ');
    const told = show(this.#sum('told that no answer came'));
    return `${show(this.#sum('tasks'))} tasks, ${show(answers)} answers, ${told} told that none came, daemons: ${died}`;
  }

  /** A table in Markdown. */
  format(): string {
    const kinds = [...this.#kinds].toSorted();
    const lines = rows.map((what) => [what, ...kinds.map((kind) => show(this.read(kind, what)))]);
    const head = ['', ...kinds];
    const rule = head.map((_, i) => (i === 0 ? '---' : '---:'));
    return [head, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  }

  #sum(what: Counted): number {
    return [...this.#kinds].reduce((sum, kind) => sum + this.read(kind, what), 0);
  }

  #set(kind: string, what: Counted, value: number): void {
    this.#kinds.add(kind);
    this.#numbers.set(`${what} of ${kind}`, value);
  }
}

function show(value: number): string {
  return Math.round(value).toLocaleString('en');
}
