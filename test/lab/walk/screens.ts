import type { PageShell } from '../../pages/shell.ts';
import { readInstallTimes } from './install.ts';

interface Shot {
  readonly seconds: number;
  readonly said: string;
  readonly screen: string;
}

/** What the user saw, and when. */
export class Screens {
  readonly #shell: PageShell;
  readonly #startedAt = performance.now();
  readonly #shots: Shot[] = [];
  readonly #notes: string[] = [];

  constructor(shell: PageShell) {
    this.#shell = shell;
  }

  async take(said: string): Promise<void> {
    const screen = await this.#shell.visible();
    this.#shots.push({ seconds: this.#seconds(), said, screen: screen.trimEnd() });
  }

  note(text: string): void {
    this.#notes.push(text);
  }

  write(page: {
    readonly place: string;
    readonly about: string;
    readonly trouble: string | undefined;
  }): string {
    const { line, cloneSeconds, installSeconds } = readInstallTimes(page.place);
    const hide = (text: string): string => text.replaceAll(page.place, '~');
    return [
      '# The first hour: a walk',
      '',
      `${page.about}. Made by \`npm run lab:walk\`: a terminal of 80 columns and 24 lines, a new user, Claude Code at its first start in this folder, and a mock model on loopback. The screens are whole.`,
      '',
      `Clone ${cloneSeconds.toFixed(1)} s; \`${line}\` ${installSeconds.toFixed(0)} s. The clock of the screens starts behind them.`,
      '',
      ...this.#notes.map((note) => `- ${note}`),
      ...(page.trouble === undefined ? [] : ['', `**It broke off**: ${hide(page.trouble)}`]),
      ...this.#shots.flatMap(({ seconds, said, screen }) => [
        '',
        `## ${clock(seconds)} ${said}`,
        '',
        '```text',
        hide(screen),
        '```',
      ]),
      '',
    ].join('\n');
  }

  #seconds(): number {
    return (performance.now() - this.#startedAt) / 1000;
  }
}

/** Minutes and seconds: 1:05.3. */
function clock(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${(seconds - 60 * minutes).toFixed(1).padStart(4, '0')}`;
}
