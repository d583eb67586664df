import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Verdict } from '../../../src/agents/status.ts';
import { takesPaste } from '../../../src/agents/takes-paste.ts';
import { detect } from '../../../src/providers/detector/detect.ts';
import { loadBuiltIn } from '../../../src/providers/detector/load.ts';
import type { Detector } from '../../../src/providers/detector/rules.ts';
import type { Screen } from '../../../src/providers/provider.ts';
import type { Expectation } from './scenario.ts';
import { parseFileName, parseScreen, type ScreenHead } from './screen-file.ts';

/** One recording and what the detector makes of it. */
export interface Judgement {
  /** Below `test/screens`. */
  readonly file: string;
  readonly head: ScreenHead;
  readonly expected: Expectation;
  readonly verdict: Verdict;
  readonly isStatusRight: boolean;
  readonly isComposerRight: boolean;
  /** At rest, it says, while there is work or a question: the one mistake that corrupts a turn. */
  readonly isWrongIdle: boolean;
  /** It would allow a paste into a draft, a menu or a dialog. */
  readonly isWrongEmpty: boolean;
}

const folder = join('test', 'screens');

/** Paths of all recordings, below `test/screens`. */
export function listScreens(): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.screen'))
    .sort();
}

/**
 * `blind`: as where nobody tells the cursor; of the composer nothing is known then. `write`: how
 * another terminal than tmux, which was recorded, writes the same styles.
 */
export async function judge(
  file: string,
  eyes: 'sharp' | 'blind' = 'sharp',
  write: (lines: readonly string[]) => readonly string[] = (lines) => lines,
): Promise<Judgement> {
  const { head, screen: recorded, expected } = readScreen(file);
  const { cursor, ...rest } = recorded;
  const styledLines = write(recorded.styledLines);
  const screen = {
    ...rest,
    lines: plainLines(styledLines),
    styledLines,
    ...(eyes === 'blind' ? {} : { cursor }),
  };
  const verdict = await verdictOn(head.provider, screen, head.version);
  return { file, head, expected, ...judgeVerdict(expected, verdict) };
}

/** What a detector said, against what it had to say. */
export function judgeVerdict(
  expected: Expectation,
  verdict: Verdict,
): Omit<Judgement, 'file' | 'head' | 'expected'> {
  return {
    verdict,
    isStatusRight: isSameStatus(expected, verdict),
    isComposerRight: expected.composer === verdict.composer,
    isWrongIdle: isAtRest(verdict.status) && !isAtRest(expected.status),
    isWrongEmpty: takesPaste(verdict.composer) && !takesPaste(expected.composer),
  };
}

/** What a recording shows, as a backend would tell it. */
export function readScreen(file: string) {
  const { head, styledLines } = parseScreen(readFileSync(join(folder, file), 'utf8'));
  const { scenario, ...expected } = parseFileName(file);
  const [x, y] = head.cursor;
  const lines = plainLines(styledLines);
  const screen = { lines, styledLines, title: head.title, cursor: { x, y } };
  return { head, screen, expected, scenario };
}

export async function verdictOn(
  provider: string,
  screen: Screen,
  version?: string,
): Promise<Verdict> {
  return detect(await detectorOf(provider), screen, version);
}

/**
 * The text of a screen, as tmux prints it without styles: no-break spaces stay at the ends of rows.
 */
export function plainLines(styledLines: readonly string[]): readonly string[] {
  return styledLines.map((line) => line.replace(escapes, '').replace(/[ \t]+$/, ''));
}

const detectors = new Map<string, Promise<Detector>>();

async function detectorOf(provider: string): Promise<Detector> {
  const loading = detectors.get(provider) ?? loadBuiltIn(provider);
  detectors.set(provider, loading);
  return await loading;
}

export function describeJudgement({ file, expected, verdict }: Judgement): string {
  return `${file}: expected ${describeExpectation(expected)}, got ${describeExpectation(verdict)} by ${verdict.rule}`;
}

/** SGR, and the hyperlinks that tmux 3.4 and newer print. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const escapes = /\u001b\[[\d;:]*m|\u001b\]8;[^\u001b\u0007]*(?:\u001b\\|\u0007)/g;

/**
 * Whether there has been a turn cannot be seen once it has scrolled away: fusion remembers it, and
 * to a detector idle and completed are one. A program that has drawn nothing says nothing: fusion
 * makes `starting` of that.
 */
function isSameStatus(expected: Expectation, verdict: Verdict): boolean {
  if (expected.status === 'starting') return ['starting', 'unknown'].includes(verdict.status);
  if (isQuiet(expected.status)) return isQuiet(verdict.status);
  const isDetailRight = expected.detail === undefined || expected.detail === verdict.detail;
  return expected.status === verdict.status && isDetailRight;
}

function isQuiet(status: string): boolean {
  return status === 'idle' || status === 'completed';
}

function isAtRest(status: string): boolean {
  return isQuiet(status) || status === 'error';
}

export function describeExpectation({ status, detail, composer }: Expectation): string {
  return `${detail === undefined ? status : `${status}: ${detail}`}, composer ${composer}`;
}
