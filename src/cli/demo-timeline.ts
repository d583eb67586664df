import type { Moment } from '../demo/moment.ts';
import type { CrashWindow } from '../demo/report.ts';
import { type Line, Tracks } from './demo-tracks.ts';
import { neutralise } from './output.ts';

/**
 * The demo as a signal box would draw it: a track for each agent, an arrow for a message, a cross for a kill. Ordinary
 * messages are a sample, since there are a hundred a second; deaths, starts and marked repeats are all shown.
 */
export class Timeline {
  readonly #tracks: Tracks;
  readonly #sampleEveryMs: number;
  readonly #running = new Set<string>();
  readonly #resentSinceStart = new Set<string>();
  #sampledAtMs = Number.NEGATIVE_INFINITY;
  #leftOut = 0;

  constructor(agents: readonly string[], columns: number, seconds: number) {
    this.#tracks = new Tracks(agents, columns);
    // About forty, whatever the length.
    this.#sampleEveryMs = Math.max(200, seconds * 25);
  }

  heads(): string {
    return this.#tracks.heads().toString();
  }

  /** The line for it, or undefined when it is left out. */
  draw(moment: Moment): string | undefined {
    return this.#drawLine(moment)?.toString();
  }

  #drawLine(moment: Moment): Line | undefined {
    switch (moment.what) {
      case 'sent':
        return this.#drawSent(moment);
      case 'started': {
        this.#running.add(moment.agent);
        this.#resentSinceStart.delete(moment.agent);
        return this.#mark(moment, '●', 'green', notes.started(moment));
      }
      case 'killed': {
        this.#running.delete(moment.agent);
        const wordings = moment.window ? notes.windows[moment.window] : [notes.killed];
        return this.#mark(
          moment,
          '✗',
          'red',
          wordings.map((text) => `${moment.agent} ${text}`),
        );
      }
      case 'failed': {
        this.#running.delete(moment.agent);
        const why = neutralise(moment.why);
        return this.#mark(moment, '!', 'red', [`${moment.agent} ended by itself: ${why}`]);
      }
      case 'repeated':
        return this.#mark(moment, '↻', 'yellow', notes.repeated(moment));
      case 'calm': {
        const line = this.#line(moment.atMs);
        this.#tracks.note(line, notes.calm, 'bold');
        return line;
      }
    }
  }

  #drawSent(moment: Moment & { what: 'sent' }): Line | undefined {
    const { atMs, from, to, text, duplicate } = moment;
    const isNews = duplicate && !this.#resentSinceStart.has(from);
    if (!isNews && (duplicate || atMs - this.#sampledAtMs < this.#sampleEveryMs)) {
      this.#leftOut++;
      return undefined;
    }
    const line = this.#line(atMs);
    if (isNews) {
      this.#resentSinceStart.add(from);
      this.#tracks.arrow(line, from, to, text, 'yellow');
      this.#tracks.note(line, notes.resent, 'yellow');
      return line;
    }
    this.#tracks.arrow(line, from, to, text, 'cyan');
    if (!this.#running.has(to)) this.#tracks.note(line, notes.waits(to), undefined);
    else if (this.#leftOut > 0) this.#tracks.note(line, notes.more(this.#leftOut), 'dim');
    this.#sampledAtMs = atMs;
    this.#leftOut = 0;
    return line;
  }

  #mark(
    { atMs, agent }: { atMs: number; agent: string },
    character: string,
    style: 'green' | 'red' | 'yellow',
    wordings: readonly string[],
  ): Line {
    const line = this.#line(atMs);
    this.#tracks.mark(line, agent, character, style);
    this.#tracks.note(line, wordings, style);
    return line;
  }

  #line(atMs: number): Line {
    return this.#tracks.line(atMs, (name) => this.#running.has(name));
  }
}

/** Each as long as there is room: the first wording that fits is taken; the last fits 80 columns. */
const notes = {
  killed: 'killed with -9',
  windows: {
    'drain.claimed': [
      'killed -9 after its claim, before it got anything',
      'killed -9 after its claim',
    ],
    'drain.injected': ['killed -9 before it read what it was handed', 'killed -9 before reading'],
    'demo.received': [
      'killed -9 after reading, before it confirmed',
      'killed -9 before confirming',
    ],
    'demo.sent': ['killed -9 after its send, before it was told', 'killed -9 in mid-send'],
  } satisfies Record<CrashWindow, readonly string[]>,
  started: ({ agent, pid, life }: { agent: string; pid: number; life: number }) =>
    life === 1 ? [`${agent} started, pid ${pid}`] : [`${agent} started again, pid ${pid}`],
  repeated: ({ texts, known }: { texts: readonly string[]; known: number }) => {
    const n = texts.length;
    const were = known === 0 ? 'none was' : known === 1 ? '1 was' : `${known} were`;
    const copies =
      n === 1 ? '1 copy marked as a possible repeat' : `${n} copies marked as possible repeats`;
    return [`${copies}: ${were}`, `${n} marked as repeat: ${were}`];
  },
  resent: [
    'sent again under the same key: it stays one message',
    'sent again, same key: still one',
  ],
  waits: (to: string) => [`${to} is not up: it waits in the ledger`, `${to} is not up: it waits`],
  more: (n: number) => [`and ${n} more messages`, `and ${n} more`],
  calm: ['time is up: no more kills; the inboxes run empty', 'no more kills; inboxes run empty'],
};
