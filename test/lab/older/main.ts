import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { endOnSignals } from '../end-on-signals.ts';
import { tellingStates } from '../record/telling-states.ts';
import { pins } from '../versions.ts';
import { choose, type Older } from './list.ts';
import { keep as keepRows, type TriedRow, writeVersions } from './results.ts';
import { endTrial, type TrialWish, withVersion } from './with-version.ts';

/**
 * Older versions of the CLIs, one after the other: installed into the lab's cache, taken through
 * seven cases, removed.
 *
 *     npm run lab:versions [-- codex claude-code@2.1.300 …] [--keep] [--screens]
 *
 * Without names: those of `list.ts`. Each result is laid over docs/results/versions.json, which
 * `doctor` reads, and docs/results/versions-<day>.md is written anew after each. A version that was
 * in the cache before stays there; `--keep` leaves all of them. Exit code 1 when one could not be
 * tried; a case that does not hold is a result.
 *
 * `--screens` records the states that tell most of each version instead (`lab:record`, one size).
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    keep: { type: 'boolean', default: false },
    screens: { type: 'boolean', default: false },
  },
});

const resultsPath = 'docs/results/versions.json';

endOnSignals(endTrial);
process.exitCode = await main();

async function main(): Promise<number> {
  const chosen = choose(positionals);
  if (!chosen) {
    process.stderr.write('usage: lab:versions [<cli>[@<version>]]… [--keep] [--screens]\n');
    return 2;
  }
  const untried: string[] = [];
  for (const one of chosen) {
    const label = `${one.cli} ${one.version}`;
    say(`\n${label}`);
    const isTried = await (values.screens ? recordScreens(one) : tryVersion(one)).then(
      () => true,
      (error: unknown) => {
        say(`  ${error instanceof Error ? error.message : String(error)}`);
        return false;
      },
    );
    if (!isTried) untried.push(label);
  }
  say(untried.length === 0 ? '\nAll were tried.' : `\nNot tried: ${untried.join(', ')}`);
  return untried.length === 0 ? 0 : 1;
}

async function tryVersion(one: Older): Promise<void> {
  const out = mkdtempSync(join(tmpdir(), 'signalbox-lab-versions-'));
  const path = join(out, 'row.json');
  try {
    await withVersion(wish(one), (run) => run(['test/lab/older/try-one.ts', one.cli, path]));
    publish(JSON.parse(readFileSync(path, 'utf8')) as TriedRow);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** Throws when one could not be driven; the others are kept. */
async function recordScreens(one: Older): Promise<void> {
  const states = ['--size', '120x40', '--only', tellingStates.join(','), '--jobs', '2'];
  await withVersion(wish(one), (run) => run(['test/lab/record/main.ts', one.cli, ...states]));
}

function wish(one: Older): TrialWish {
  const keep = values.keep || pins[one.cli].version === one.version;
  return { ...one, keep, out: process.stdout };
}

function publish(row: TriedRow): void {
  const all = keepRows(resultsPath, [row]);
  writeFileSync(`docs/results/versions-${row.day}.md`, writeVersions(all, row.day));
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
