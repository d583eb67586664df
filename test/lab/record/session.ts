import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { LabTerminal } from '../driver.ts';
import { type LabHome, openHome } from '../homes/home.ts';
import type { LoggedRequest } from '../mock-llm/request-log.ts';
import { type MockLlm, openMockLlm } from '../mock-llm/server.ts';
import type { Screen } from '../screen.ts';
import type { CliName } from '../versions.ts';
import type { CliScenarios, Scenario } from './scenario.ts';

export interface SessionStart {
  readonly cli: CliName;
  readonly scenarios: CliScenarios;
  readonly scenario: Scenario;
  readonly columns: number;
  readonly rows: number;
  readonly theme: 'dark' | 'light';
}

/** One CLI in a home and a terminal of its own, with a mock of its own: what a scenario drives. */
export class LabSession {
  readonly home: LabHome;
  readonly mock: MockLlm;
  readonly #scenarios: CliScenarios;
  #terminal: LabTerminal | undefined;

  private constructor(home: LabHome, mock: MockLlm, scenarios: CliScenarios) {
    this.home = home;
    this.mock = mock;
    this.#scenarios = scenarios;
  }

  static async open({ cli, scenarios, scenario, ...size }: SessionStart): Promise<LabSession> {
    const mock = await openMockLlm();
    const home = openHome(cli, { theme: size.theme, ...scenario.home, mockUrl: mock.url });
    const session = new LabSession(home, mock, scenarios);
    try {
      for (const [path, text] of Object.entries(scenario.files?.(session) ?? {})) {
        mkdirSync(dirname(join(home.folder, path)), { recursive: true });
        writeFileSync(join(home.folder, path), text);
      }
      session.#terminal = await LabTerminal.open({
        argv: [...home.cli.argv, ...home.args, ...(scenario.args ?? [])],
        env: { ...home.env, ...scenario.env },
        cwd: home.cwd,
        columns: size.columns,
        rows: size.rows,
      });
      return session;
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  get terminal(): LabTerminal {
    if (!this.#terminal) throw new Error('The terminal is not open yet.');
    return this.#terminal;
  }

  /** Requests of turns; those without tools are the CLI's own. */
  get turns(): readonly LoggedRequest[] {
    return this.mock.requests.filter(({ isSide }) => !isSide);
  }

  /**
   * The composer is drawn and has stood still: some dialogs open a second after it (Codex 0.166.0,
   * Gemini 0.61.0).
   */
  async ready(): Promise<void> {
    const { isReady, hasStarted = isReady } = this.#scenarios;
    const isUp = (screen: Screen): boolean => isReady(screen) && hasStarted(screen);
    await this.terminal.waitFor('the composer', isUp, 60_000);
    await this.terminal.settled(1000, 60_000);
  }

  async shows(pattern: RegExp, deadlineMs = 30_000): Promise<Screen> {
    return await this.terminal.waitFor(
      String(pattern),
      (screen) => pattern.test(screen.text),
      deadlineMs,
    );
  }

  /** Two changes: what the CLI draws while it works has begun to move. */
  async moves(): Promise<void> {
    const seen = new Set<string>();
    await this.terminal.waitFor('a screen that moves', ({ styled, title }) => {
      seen.add(`${title}\n${styled}`);
      return seen.size > 2;
    });
  }

  /** For what only moves the cursor. */
  async cursorAt(x: number): Promise<void> {
    await this.terminal.waitFor(`cursor in column ${x}`, (screen) => screen.cursor.x === x);
  }

  /**
   * Writes a prompt and sends it. Some CLIs swallow an Enter that comes too soon after the text,
   * and how soon depends on the machine's load: it is pressed again as long as the cursor stands at
   * the text's end.
   */
  async submit(text: string): Promise<void> {
    const isAtEnd = ({ text: shown, cursor }: Screen): boolean => {
      const rows = shown.split('\n');
      const row = rows[cursor.y] ?? '';
      const before = bare([...row].slice(0, cursor.x).join(''));
      // A text that fills its row leaves the cursor in the next; several show a long paste as a
      // placeholder.
      const written = before === '' ? bare(rows[cursor.y - 1] ?? '') : before;
      return (written !== '' && text.endsWith(written)) || /\[Pasted /i.test(row);
    };
    await this.terminal.paste(text);
    await this.terminal.waitFor('the prompt in the composer', isAtEnd);
    for (let tries = 0; tries < 5; tries++) {
      // While it works it never stands still.
      await this.terminal.settled(300, 1500).catch(() => undefined);
      await this.terminal.keys('Enter');
      const sent = this.terminal.waitFor('the prompt sent', (screen) => !isAtEnd(screen), 2000);
      if (await sent.then(() => true).catch(() => false)) return;
    }
    throw new Error(`Enter did not send ${JSON.stringify(text)}.`);
  }

  /** Sends a prompt and waits until the model has got it. */
  async ask(text: string): Promise<LoggedRequest> {
    await this.submit(text);
    return await this.mock.waitFor(({ isSide, lastUserText }) => !isSide && lastUserText === text);
  }

  /**
   * Sends a prompt and waits until every request that came of it has been answered, and the
   * composer is back.
   */
  async askToEnd(text: string, deadlineMs = 60_000): Promise<void> {
    await this.ask(text);
    await this.terminal.waitFor(
      'the end of the turn',
      (screen) => this.isAtRest() && this.#scenarios.isReady(screen),
      deadlineMs,
    );
  }

  /** There has been a turn, and none of its requests is open. */
  isAtRest(): boolean {
    return this.turns.length > 0 && this.turns.every(({ outcome }) => outcome !== undefined);
  }

  hasFile(name: string): boolean {
    return existsSync(join(this.home.cwd, name));
  }

  async fileAppears(name: string, deadlineMs = 30_000): Promise<void> {
    await this.terminal.waitFor(`the file ${name}`, () => this.hasFile(name), deadlineMs);
  }

  /** A person's pause between two keys that a CLI would otherwise read as one sequence. */
  async pause(ms: number): Promise<void> {
    await delay(ms);
  }

  async close(): Promise<void> {
    try {
      await this.#terminal?.end();
    } finally {
      await this.mock.close();
      this.home.remove();
    }
  }
}

/** Without prompt signs, frames and blanks. */
function bare(row: string): string {
  return row.replace(/^[\s›❯>!*│┃]+/, '').replace(/[\s│┃]+$/, '');
}
