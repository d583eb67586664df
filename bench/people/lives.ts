import { loadavg } from 'node:os';
import { cliEntry } from '../../test/lab/cache.ts';
import { cases } from '../../test/lab/cases/list.ts';
import { Life } from '../../test/lab/life/life.ts';
import { type CliName, isCliName } from '../../test/lab/versions.ts';
import type { BuiltSurroundings } from '../parts.ts';
import type { Part, Row } from '../suite.ts';

/** Of this build, and of the one that it is compared with. */
export type Both<T> = Record<'now' | 'before', T[]>;

/** What was measured of one CLI before something went wrong still counts; that it did is said. */
export interface Taken<T> {
  readonly name: CliName;
  readonly taken: T;
  readonly failure?: string;
}

interface PartWish<T> {
  readonly title: string;
  readonly how: string;
  /** Those that are measured unless some are named. */
  readonly clis: readonly CliName[];
  /** Fills in `taken` as it goes. */
  readonly take: (name: CliName, taken: T) => Promise<void>;
  readonly begin: () => T;
  readonly toRows: (done: readonly Taken<T>[]) => readonly Row[];
}

/** Takes one CLI after the other; those that are not installed are left out by name. */
export async function benchLives<T>(around: BuiltSurroundings, wish: PartWish<T>): Promise<Part> {
  const { names, say, signal } = around;
  const wanted = names.length === 0 ? wish.clis : names.filter(isCliName);
  const missing = wanted.filter((name) => !cliEntry(name).isInstalled());
  const done: Taken<T>[] = [];
  const loads = [describeLoad()];
  for (const name of wanted.filter((one) => !missing.includes(one))) {
    const taken = wish.begin();
    const startedAt = performance.now();
    const failure = await wish.take(name, taken).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    signal.throwIfAborted();
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    say(`${wish.title}: ${name}, ${seconds} s${failure === undefined ? '' : `; ${failure}`}`);
    done.push({ name, taken, ...(failure === undefined ? {} : { failure }) });
    loads.push(describeLoad());
  }
  const left = missing.length === 0 ? '' : ` Not installed and left out: ${missing.join(', ')}.`;
  return {
    title: wish.title,
    how: `${wish.how} Load average over a minute, before and after each CLI: ${loads.join(', ')}.${left}`,
    rows: wish.toRows(done),
    failures: done.flatMap(({ name, failure }) =>
      failure === undefined ? [] : [`${wish.title}: ${name}: ${failure}`],
    ),
    raw: Object.fromEntries(done.map(({ name, ...rest }) => [name, rest])),
  };
}

function describeLoad(): string {
  return (loadavg()[0] ?? 0).toFixed(1);
}

/** What is to be ended with the work, in the opposite order of its beginning. */
export type AtEnd = (end: () => Promise<void>) => void;

/** One life of that CLI for each build, which end with the work, or when the run is stopped. */
export async function withLives<Build extends string>(
  name: CliName,
  builds: Readonly<Record<Build, string>>,
  signal: AbortSignal,
  work: (lives: Readonly<Record<Build, Life>>, atEnd: AtEnd) => Promise<void>,
): Promise<void> {
  const lives: Partial<Record<Build, Life>> = {};
  const ends: (() => Promise<void>)[] = [];
  const stopped = new Promise<never>((_, fail) => {
    signal.addEventListener('abort', () => fail(signal.reason), { once: true });
  });
  const run = async (): Promise<void> => {
    for (const build of Object.keys(builds) as Build[]) {
      signal.throwIfAborted();
      const opening = Life.open(cases[name], builds[build]);
      // Also one that is still being opened when the run is stopped.
      ends.push(async () => (await opening).close());
      const life = await opening;
      lives[build] = life;
      await life.launch();
      await life.isReady(0);
    }
    await work(lives as Record<Build, Life>, (end) => ends.push(end));
  };
  try {
    await Promise.race([run(), stopped]);
  } finally {
    for (const end of ends.toReversed()) await end().catch(() => undefined);
  }
}
