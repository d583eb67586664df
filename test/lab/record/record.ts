import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parse } from 'yaml';
import type { Screen } from '../screen.ts';
import { type CliName, pins } from '../versions.ts';
import type { CliScenarios, Scenario } from './scenario.ts';
import { formatScreen, neutralise, type RecordedScreen, screenFileName } from './screen-file.ts';
import { LabSession } from './session.ts';
import { verify } from './truth.ts';

export interface Recording {
  readonly cli: CliName;
  readonly scenarios: CliScenarios;
  readonly scenario: Scenario;
  /**
   * `a`: the rules are written from it. `b`: recorded after they were frozen; accuracy is counted
   * on it. `s`: the window has shrunk to this size; the rules are written from it, too.
   */
  readonly set: string;
  readonly columns: number;
  readonly rows: number;
  readonly theme: 'dark' | 'light';
}

export const screensFolder = join('test', 'screens');

/** Drives a CLI through one scenario and stores what it shows; gives the names of the files. */
export async function record(recording: Recording): Promise<readonly string[]> {
  return store(recording, await capture(recording));
}

/** Drives a CLI through one scenario and gives what it shows. */
export async function capture(recording: Recording): Promise<readonly RecordedScreen[]> {
  const { scenario, set, columns, rows } = recording;
  const session = await LabSession.open(set === 's' ? { ...recording, ...usual } : recording);
  open.add(session);
  try {
    await scenario.drive(session);
    if (set === 's') await shrink(session, columns, rows);
    await verify(session, scenario);
    const screens = await take(session, scenario.frames);
    // On a busy machine Codex 0.155.0 stood still for a moment after it had cleared its screen.
    if (scenario.expect.status !== 'starting' && screens.some(({ text }) => text.trim() === '')) {
      throw new Error('The screen is blank.');
    }
    if (scenario.marker && !screens.every(({ text }) => scenario.marker?.test(text))) {
      throw new Error(`The screen no longer shows ${scenario.marker}.`);
    }
    // Still true afterwards: the screen is of that state and not of the moment it ended.
    await verify(session, scenario);
    return screens.map((screen) => neutralise(describe(recording, screen), session.home.folder));
  } finally {
    await session.close();
    open.delete(session);
  }
}

/** What the window has before it shrinks. */
const usual = { columns: 120, rows: 40 } as const;

/** Until the program has drawn itself anew, and a moment more: some do so twice. */
async function shrink({ terminal }: LabSession, columns: number, rows: number): Promise<void> {
  const before = await terminal.capture();
  await terminal.resize(columns, rows);
  await terminal.waitFor('another screen', ({ styled }) => styled !== before.styled);
  await terminal.settled(1000, 5000).catch(() => undefined);
}

const open = new Set<LabSession>();

/** For a recorder that is told to end: some CLIs outlive their terminal. */
export async function endOpenSessions(): Promise<void> {
  await Promise.all([...open].map((session) => session.close()));
}

/**
 * A spinner that has moved on, or a word more, is another screen; one that stands still is taken as
 * it is.
 */
async function take(session: LabSession, frames: number | undefined): Promise<readonly Screen[]> {
  if (frames === undefined) return [await session.terminal.settled(400)];
  const screens = [await wholeFrame(session)];
  for (let tries = 0; screens.length < frames && tries < mostTries; tries++) {
    await delay(frameMs);
    const screen = await wholeFrame(session);
    if (screens.every(({ styled }) => styled !== screen.styled)) screens.push(screen);
  }
  return screens;
}

/**
 * Of some thousand captures a few show half a frame; two that are equal show a whole one. A busy
 * machine may have none.
 */
async function wholeFrame(session: LabSession): Promise<Screen> {
  let screen = await session.terminal.capture();
  for (let tries = 0; tries < mostTries; tries++) {
    const next = await session.terminal.capture();
    if (JSON.stringify(next) === JSON.stringify(screen)) return screen;
    screen = next;
  }
  return screen;
}

const frameMs = 250;
const mostTries = 20;

function describe(recording: Recording, screen: Screen): RecordedScreen {
  const { cli, set, theme } = recording;
  return {
    head: {
      provider: cli,
      version: pins[cli].version,
      title: screen.title,
      cursor: [screen.cursor.x, screen.cursor.y],
      columns: screen.columns,
      rows: screen.rows,
      theme,
      alternate: screen.isAlternate,
      ...(set === 'b' ? { rules: rulesDigest(cli) } : {}),
    },
    styledLines: screen.styled.split('\n'),
  };
}

/**
 * Names the rules that a recording was made under: what was recorded under others proves nothing
 * about these. Of what they say, not of how they are written: a comment changes nothing, nor does
 * the size below which nothing is promised.
 */
export function rulesDigest(cli: string): string {
  const path = join('src', 'providers', cli, 'detector.yaml');
  const rules = existsSync(path) ? readRules(path) : '';
  return createHash('sha256').update(rules).digest('hex').slice(0, 12);
}

function readRules(path: string): string {
  const { smallest: _, ...rules } = parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  return JSON.stringify(rules);
}

function store(recording: Recording, screens: readonly RecordedScreen[]): readonly string[] {
  const { cli, set, columns, rows, scenario } = recording;
  const folder = join(screensFolder, cli, pins[cli].version, `${set}-${columns}x${rows}`);
  mkdirSync(folder, { recursive: true });
  for (const old of readdirSync(folder)) {
    // An earlier run may have expected something else, or seen more frames.
    const name = old.slice(old.lastIndexOf('--') + 2, -'.screen'.length);
    if (name.replace(/-\d+$/, '') === scenario.name) rmSync(join(folder, old));
  }
  return screens.map((screen, at) => {
    const name = screens.length === 1 ? scenario.name : `${scenario.name}-${at + 1}`;
    const path = join(folder, screenFileName(scenario.expect, name));
    writeFileSync(path, formatScreen(screen));
    return path;
  });
}
