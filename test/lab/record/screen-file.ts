import { hostname } from 'node:os';
import { basename } from 'node:path';
import type { AgentStatus } from '../../../src/agents/agent.ts';
import type { Composer } from '../../../src/agents/status.ts';
import type { Expectation } from './scenario.ts';

/**
 * A recorded screen:
 * `<provider>/<version>/<set>-<columns>x<rows>/<status>[.<detail>]--<composer>--<scenario>.screen`.
 * The first line is JSON, the rest are the rows as `tmux capture-pane -e -p` printed them. The name
 * is the expectation.
 */
export interface ScreenHead {
  readonly provider: string;
  readonly version: string;
  readonly title: string;
  readonly cursor: readonly [x: number, y: number];
  readonly columns: number;
  readonly rows: number;
  readonly theme: string;
  readonly alternate: boolean;
  /** First characters of the SHA-256 of the rules that were in force when it was recorded. */
  readonly rules?: string;
}

export interface RecordedScreen {
  readonly head: ScreenHead;
  readonly styledLines: readonly string[];
}

export function formatScreen({ head, styledLines }: RecordedScreen): string {
  return `${JSON.stringify(head)}\n${styledLines.join('\n')}\n`;
}

export function parseScreen(text: string): RecordedScreen {
  const [head = '{}', ...rows] = text.split('\n');
  // The newline at the file's end is none of the screen's.
  return { head: JSON.parse(head) as ScreenHead, styledLines: rows.slice(0, -1) };
}

export function screenFileName(
  { status, detail, composer }: Expectation,
  scenario: string,
): string {
  return `${detail ? `${status}.${detail}` : status}--${composer}--${scenario}.screen`;
}

export interface NamedExpectation extends Expectation {
  readonly scenario: string;
}

export function parseFileName(path: string): NamedExpectation {
  const parts = /^([a-z]+)(?:\.([a-z-]+))?--([a-z]+)--([a-z0-9-]+)\.screen$/.exec(basename(path));
  if (!parts)
    throw new Error(`${path} is not named <status>[.<detail>]--<composer>--<scenario>.screen.`);
  const [, status, detail, composer, scenario = ''] = parts;
  return {
    status: status as AgentStatus,
    ...(detail === undefined ? {} : { detail }),
    composer: composer as Composer,
    scenario,
  };
}

/**
 * Takes out what belongs to the machine: the random part of the lab folder's name, in place so that
 * no column moves, and the host's name, which tmux gives as the title of a program that has set
 * none. Throws when something is left.
 */
export function neutralise(screen: RecordedScreen, labFolder: string): RecordedScreen {
  const random = /[A-Za-z0-9]{6}$/.exec(labFolder)?.[0] ?? labFolder;
  const clean = (text: string): string => text.replaceAll(random, 'labdir');
  const title = screen.head.title === hostname() ? 'localhost' : clean(screen.head.title);
  const styledLines = screen.styledLines.map(clean);
  const text = `${title}\n${styledLines.join('\n')}`;
  for (const own of [process.cwd(), process.env['HOME'] ?? '', `@${hostname()}`]) {
    if (own.length > 1 && text.includes(`${own}`)) throw new Error(`The screen shows ${own}.`);
  }
  return { head: { ...screen.head, title }, styledLines };
}
