import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cacheFolder } from '../cache.ts';
import { endOnSignals } from '../end-on-signals.ts';
import { pins } from '../versions.ts';
import { choose, type Older } from './list.ts';
import { keep, type TriedRow, writeVersions } from './results.ts';

/**
 * Older versions of the CLIs, one after the other: installed into the lab's cache, taken through
 * six cases, removed.
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
let child: ChildProcess | undefined;
let clean = (): void => undefined;

endOnSignals(async () => {
  // The one that runs ends its CLI by itself; only then is its program removed.
  const ended = child && new Promise((done) => child?.once('exit', done));
  child?.kill('SIGTERM');
  await ended;
  clean();
});
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

async function tryVersion({ cli, version }: Older): Promise<TriedRow> {
  const env = { ...process.env, LAB_VERSIONS: `${cli}=${version}` };
  const folder = join(cacheFolder(), `${cli}-${version}`);
  const mayRemove = !values.keep && !existsSync(folder) && pins[cli].version !== version;
  const out = mkdtempSync(join(tmpdir(), 'signalbox-lab-versions-'));
  clean = () => {
    rmSync(out, { recursive: true, force: true });
    if (mayRemove) rmSync(folder, { recursive: true, force: true });
  };
  try {
    await run(['test/lab/install.ts', cli], env);
    const path = join(out, 'row.json');
    await run(['test/lab/older/try-one.ts', cli, path], env);
    return JSON.parse(readFileSync(path, 'utf8')) as TriedRow;
  } finally {
    clean();
    clean = () => undefined;
  }
}

function publish(row: TriedRow): void {
  const all = keep(resultsPath, [row]);
  writeFileSync(`docs/results/versions-${row.day}.md`, writeVersions(all, row.day));
}

async function run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const started = spawn(process.execPath, ['--import', 'tsx', ...args], { env, stdio: 'inherit' });
  child = started;
  try {
    const code = await new Promise<number | null>((done, fail) => {
      started.once('error', fail);
      started.once('exit', done);
    });
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`);
  } finally {
    child = undefined;
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
