import type { Moment } from '../demo/moment.ts';
import { formatChanges, formatTeam, type TimedSight } from './demo-table.ts';
import { describeEvent } from './demo-words.ts';
import { writeOut } from './output.ts';

/**
 * The demo as a person watches it: what happens, line by line, and below it on a terminal the team as it is now, painted in
 * place. Without a terminal each change of a status is a line of its own.
 */
export class DemoScreen {
  readonly #isLive: boolean;
  #team: TimedSight | undefined;
  /** Rows of the live part that stand there. */
  #shownRows = 0;

  constructor(isLive: boolean) {
    this.#isLive = isLive;
  }

  show(moment: Moment): void {
    if (moment.what === 'team') {
      const before = this.#team;
      this.#team = moment;
      if (this.#isLive) this.#paint([]);
      else for (const line of formatChanges(before?.agents ?? [], moment)) writeOut(`${line}\n`);
      return;
    }
    const lines = describeEvent(moment, moment.atMs);
    if (this.#isLive) this.#paint(lines);
    else writeOut(lines.map((line) => `${line}\n`).join(''));
  }

  /** Takes the live part away: what follows stands below the story. */
  close(): void {
    this.#team = undefined;
    this.#paint([]);
  }

  /** One write, rows overwritten and never erased first: nothing flickers. */
  #paint(lines: readonly string[]): void {
    const live = this.#team ? ['', ...formatTeam(this.#team, this.#columns)] : [];
    const up = this.#shownRows > 0 ? `\u001b[${this.#shownRows}A` : '';
    const rows = [...lines, ...live].map((row) => `${row}\u001b[K\n`);
    if (this.#shownRows + rows.length > 0) writeOut(`${up}\r${rows.join('')}\u001b[J`);
    this.#shownRows = live.length;
  }

  /** A row as wide as the terminal would wrap, and then it could not be painted over. */
  get #columns(): number {
    return Math.max(40, (process.stdout.columns ?? 100) - 1);
  }
}
