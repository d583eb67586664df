import type { Moment } from '../demo/moment.ts';
import { formatTeam, type TimedSight } from './demo-table.ts';
import { describeEvent } from './demo-words.ts';
import { writeOut } from './output.ts';
import { steer } from './screen-codes.ts';

/** Of a file or a pipe: a line is a line there. */
const plainColumns = 1000;
/** The team and a few lines of the story: on a lower terminal it could not be painted over. */
const leastRows = 14;

/**
 * The demo as a person watches it: what happens, line by line, and below it on a terminal the team
 * as it is now, painted in place. Where nothing can be painted over, the team is shown once before
 * each kill.
 */
export class DemoScreen {
  readonly #isLive: boolean;
  #team: TimedSight | undefined;
  /** Rows of the live part that stand there. */
  #shownRows = 0;

  constructor({ isTTY, rows }: { readonly isTTY?: boolean; readonly rows?: number }) {
    this.#isLive = isTTY === true && process.env['TERM'] !== 'dumb' && (rows || 24) >= leastRows;
  }

  show(moment: Moment): void {
    if (moment.what === 'team') {
      this.#team = moment;
      if (this.#isLive) this.#paint([]);
      return;
    }
    const lines = describeEvent(moment, moment.atMs, this.#columns);
    if (this.#isLive) {
      this.#paint(lines);
      return;
    }
    const picture = moment.what === 'killed' && this.#team ? this.#drawTeam(this.#team) : [];
    writeOut([...picture, ...lines].map((line) => `${line}\n`).join(''));
  }

  /** Takes the live part away: what follows stands below the story. */
  close(): void {
    this.#team = undefined;
    if (this.#isLive) this.#paint([]);
  }

  /** One write, rows overwritten and never erased first: nothing flickers. */
  #paint(lines: readonly string[]): void {
    const live = this.#team ? this.#drawTeam(this.#team) : [];
    const up = this.#shownRows > 0 ? steer(`[${this.#shownRows}A`) : '';
    const rows = [...lines, ...live].map((row) => `${row}${steer('[K')}\n`);
    if (this.#shownRows + rows.length > 0)
      writeOut(`${up}${steer('[G')}${rows.join('')}${steer('[J')}`);
    this.#shownRows = live.length;
  }

  #drawTeam(team: TimedSight): readonly string[] {
    return ['', ...formatTeam(team, this.#columns), ''];
  }

  /** A row as wide as the terminal would wrap, and then it could not be painted over. */
  get #columns(): number {
    return Math.max(1, (process.stdout.columns || plainColumns) - 1);
  }
}
