import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { endOnSignals } from '../end-on-signals.ts';
import { pins } from '../versions.ts';
import { choose, type Older } from './list.ts';
import { keep as keepRows, type TriedRow, writeVersions } from './results.ts';
import { endTrial, withVersion } from './with-version.ts';

/**
 * Older versions of the CLIs, one after the other: installed into the lab's cache, taken through
 * seven cases, removed.
 *
 *     npm run lab:versions [-- codex claude-code@2.1.300 …] [--keep]
 *
 * Without names: those of `list.ts`. Each result is laid over docs/results/versions.json, which
 * `doctor` reads, and docs/results/versions-<day>.md is written anew after each. A version that was
 * in the cache before stays there; `--keep` leaves all of them. Exit code 1 when one could not be
 * tried; a case that does not hold is a result.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { keep: { type: 'boolean', default: false } },
});

const resultsPath = 'docs/results/versions.json';

endOnSignals(endTrial);
process.exitCode = await main();

async function main(): Promise<number> {
  const chosen = choose(positionals);
  if (!chosen) {
    process.stderr.write('usage: lab:versions [<cli>[@<version>]]… [--keep]\n');
    return 2;
  }
  const untried: string[] = [];
  for (const one of chosen) {
    const label = `${one.cli} ${one.version}`;
    say(`\n${label}`);
    const row = await tryVersion(one).catch((error: unknown) => {
      say(`  ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    });
    if (row) publish(row);
    else untried.push(label);
  }
  say(untried.length === 0 ? '\nAll were tried.' : `\nNot tried: ${untried.join(', ')}`);
  return untried.length === 0 ? 0 : 1;
}

async function tryVersion(one: Older): Promise<TriedRow> {
  const out = mkdtempSync(join(tmpdir(), 'signalbox-lab-versions-'));
  const keep = values.keep || pins[one.cli].version === one.version;
  try {
    return await withVersion({ ...one, keep, out: process.stdout }, async (run) => {
      const path = join(out, 'row.json');
      await run(['test/lab/older/try-one.ts', one.cli, path]);
      return JSON.parse(readFileSync(path, 'utf8')) as TriedRow;
    });
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

function publish(row: TriedRow): void {
  const all = keepRows(resultsPath, [row]);
  writeFileSync(`docs/results/versions-${row.day}.md`, writeVersions(all, row.day));
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
