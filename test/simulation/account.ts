/** What people, records and the model's API did to agents. */
export type Act =
  | 'Esc before any output'
  | 'Esc in mid-answer'
  | 'Esc over a queue'
  | '/new'
  | '/clear'
  | '/resume'
  | '/resume to a queue'
  | 'typing'
  | 'scrolling'
  | 'dialogs'
  | 'unreadable screen'
  | 'channel killed'
  | 'second agent in the folder'
  | 'records unreadable'
  | 'records half-written'
  | 'records deleted'
  | 'request refused'
  | 'stream dropped before a word'
  | 'stream dropped after a word'
  | 'API down for a while'
  | 'killed';

/** What came of it. */
export type Result =
  | 'agents'
  | 'messages'
  | 'taken back from a queue'
  | 'put up again'
  | 'pasted instead'
  | 'left unconfirmed'
  | 'named again'
  | 'marked repeats'
  | 'given up'
  | 'open at rest, at most (s)';

const rows: readonly (Act | Result)[] = [
  ...(['agents', 'messages'] as const),
  ...(['Esc before any output', 'Esc in mid-answer', 'Esc over a queue'] as const),
  ...(['/new', '/clear', '/resume', '/resume to a queue'] as const),
  ...(['typing', 'scrolling', 'dialogs', 'unreadable screen', 'channel killed'] as const),
  ...(['second agent in the folder', 'records deleted'] as const),
  ...(['records unreadable', 'records half-written'] as const),
  ...(['request refused', 'stream dropped before a word', 'stream dropped after a word'] as const),
  ...(['API down for a while', 'killed'] as const),
  ...(['taken back from a queue', 'put up again', 'pasted instead'] as const),
  ...(['left unconfirmed', 'named again', 'marked repeats', 'given up'] as const),
  'open at rest, at most (s)',
];

/** How often each of it happened, per kind of way in. */
export class Account {
  readonly #numbers = new Map<string, number>();
  readonly #kinds = new Set<string>();

  note(kind: string, what: Act | Result, times = 1): void {
    this.#set(kind, what, this.read(kind, what) + times);
  }

  reach(kind: string, what: Result, value: number): void {
    this.#set(kind, what, Math.max(this.read(kind, what), value));
  }

  read(kind: string, what: Act | Result): number {
    return this.#numbers.get(`${what} of ${kind}`) ?? 0;
  }

  add(other: Account): void {
    for (const kind of other.#kinds) {
      for (const what of rows) {
        const value = other.read(kind, what);
        if (what === 'open at rest, at most (s)') this.reach(kind, what, value);
        else this.note(kind, what, value);
      }
    }
  }

  /** Rows that count nothing at all: what the storms did not show. */
  listMissing(): readonly string[] {
    return rows.filter((what) => ![...this.#kinds].some((kind) => this.read(kind, what) > 0));
  }

  /** A table in Markdown. */
  format(): string {
    const kinds = [...this.#kinds].toSorted();
    const lines = rows.map((what) => [what, ...kinds.map((kind) => this.#show(kind, what))]);
    const head = ['', ...kinds];
    const rule = head.map((_, i) => (i === 0 ? '---' : '---:'));
    return [head, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  }

  #show(kind: string, what: Act | Result): string {
    return Math.round(this.read(kind, what)).toLocaleString('en');
  }

  #set(kind: string, what: Act | Result, value: number): void {
    this.#kinds.add(kind);
    this.#numbers.set(`${what} of ${kind}`, value);
  }
}
