import { parseArgs } from 'node:util';
import { inClosedNetwork } from '../network.ts';
import { type CliName, cliNames, isCliName } from '../versions.ts';
import { endOpenSessions, type Recording, record } from './record.ts';
import { loadScenarios } from './scenario.ts';

/**
 * The recorder: drives real CLIs through their states and stores each screen as a fixture of the
 * detectors' tests.
 *
 *     npm run lab:record -- claude-code [codex …] [--set a|b|s] [--size 120x40]
 *                            [--theme dark|light] [--only name,…] [--jobs 2]
 *
 * To add a CLI: `scenarios/<cli>.ts` exports `scenarios` (scenario.ts has the shape, claude-code.ts
 * is the model). What all CLIs have in common (drafts, turns, errors) comes from standard.ts, what
 * several have from standard-menus.ts, -dialogs.ts and -work.ts; what only this one has stands in
 * its own file. A scenario waits for its own condition and ends in its state; the engine then
 * proves the state by the mock's log and the tools' files (truth.ts), takes the screen, proves it
 * again, and stores it under the name that says what a detector must make of it (screen-file.ts).
 * Rules are written from set `a`; set `b` is recorded when they are frozen. Set `s` is of windows
 * that a person has made small: the CLI is brought into its state in a usual one, which then
 * shrinks.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    set: { type: 'string', default: 'a' },
    size: { type: 'string', multiple: true },
    theme: { type: 'string' },
    only: { type: 'string' },
    jobs: { type: 'string', default: '2' },
  },
});

const sets = {
  a: { sizes: ['120x40', '80x24'], theme: 'dark' },
  b: { sizes: ['100x30', '140x50'], theme: 'light' },
  s: { sizes: ['60x20', '40x12'], theme: 'dark' },
} as const;

/** What a small window is recorded with, unless somebody asks for more. */
const inSmallWindows = ['started', 'draft-line', 'permission-shell', 'answered'];

process.exitCode = await inClosedNetwork(recordAll);

async function recordAll(): Promise<number> {
  const queue = await plan();
  const failures: string[] = [];
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      queue.length = 0;
      void endOpenSessions().finally(() => process.exit(130));
    });
  }
  await Promise.all(Array.from({ length: Number(values.jobs) }, () => work(queue, failures)));
  say(
    failures.length === 0 ? 'All recorded.' : `${failures.length} failed: ${failures.join(', ')}`,
  );
  return failures.length === 0 ? 0 : 1;
}

async function work(queue: Recording[], failures: string[]): Promise<void> {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const label = `${next.cli} ${next.set}-${next.columns}x${next.rows} ${next.scenario.name}`;
    const startedAt = performance.now();
    try {
      const stored = await record(next);
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      say(`${label}: ${stored.length} in ${seconds} s`);
    } catch (error) {
      failures.push(label);
      say(`${label}: FAILED ${error instanceof Error ? error.message : error}`);
    }
  }
}

async function plan(): Promise<Recording[]> {
  const { set } = values;
  if (set !== 'a' && set !== 'b' && set !== 's') throw new Error(`No set "${set}": a, b or s.`);
  const theme = values.theme ?? sets[set].theme;
  if (theme !== 'dark' && theme !== 'light') throw new Error(`No theme "${theme}": dark or light.`);
  const only = values.only?.split(',') ?? (set === 's' ? inSmallWindows : undefined);
  const planned: Recording[] = [];
  for (const cli of chosen()) {
    const scenarios = await loadScenarios(cli);
    for (const size of values.size ?? sets[set].sizes) {
      const [columns = 0, rows = 0] = size.split('x').map(Number);
      if (!(columns > 0 && rows > 0)) throw new Error(`No size "${size}": for example 120x40.`);
      for (const scenario of scenarios.list) {
        if (only && !only.includes(scenario.name)) continue;
        planned.push({ cli, scenarios, scenario, set, columns, rows, theme });
      }
    }
  }
  return planned;
}

function chosen(): readonly CliName[] {
  const unknown = positionals.filter((name) => !isCliName(name));
  if (unknown.length > 0 || positionals.length === 0) {
    throw new Error(`Say which CLI to record: ${cliNames.join(', ')}.`);
  }
  return positionals.filter(isCliName);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
