import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { endOnSignals } from '../end-on-signals.ts';
import { endTrial, type RunStep, StepFailed, withVersion } from '../older/with-version.ts';
import { type CliName, pins } from '../versions.ts';
import { readArguments, usage, type Wanted } from './arguments.ts';
import { compare, isWorse } from './compare.ts';
import { explainInstall } from './explain-install.ts';
import { writePage } from './page.ts';
import type { CertifyRun, ScreenResult } from './run.ts';
import { readRecorded } from './screens.ts';

/**
 * A version of a CLI that the rules were not made with, against the pinned one, on one page.
 * `--help` (arguments.ts) says how.
 *
 * Screens of the pinned version are those in test/screens, read by the rules as they are now; all
 * else of it runs here too, so that both had the same machine.
 */
const couldNot = 3;
const scratch = { folder: '' };
// In short: a person begins to type after three sends, not ten.
process.env['SIGNALBOX_LAB_ROUNDS'] ??= '3';

endOnSignals(async () => {
  await endTrial();
  removeScratch();
});
process.exitCode = await main();

async function main(): Promise<number> {
  const wanted = readArguments(process.argv.slice(2));
  if (wanted === 'help') {
    process.stdout.write(usage);
    return 0;
  }
  if ('wrong' in wanted) {
    process.stderr.write(`${wanted.wrong}\n\n${usage}`);
    return 2;
  }
  scratch.folder = mkdtempSync(join(tmpdir(), 'signalbox-lab-certify-'));
  try {
    return await certify(wanted);
  } catch (error) {
    // Told in one line: what went before has been shown.
    say(error instanceof Error ? error.message : String(error));
    return couldNot;
  } finally {
    removeScratch();
  }
}

async function certify(wanted: Wanted): Promise<number> {
  const { cli, version } = wanted;
  const pin = pins[cli].version;
  const recorded = wanted.only.includes('screens')
    ? await readRecorded(cli, pin, wanted.screens)
    : {};
  // The new one first: a version that cannot be had costs nobody a quarter of an hour.
  const fresh = await tryOne(wanted, version, recorded);
  const beside = wanted.only.includes('cases') ? await tryOne(wanted, pin, {}) : fresh;
  const pinned: CertifyRun = { ...beside, version: pin, screens: recorded };
  const differences = compare(pinned, fresh);
  const page = writePage({ pinned, fresh, differences });
  const { markdown, json } = wanted;
  if (markdown !== undefined) {
    mkdirSync(dirname(markdown), { recursive: true });
    writeFileSync(markdown, page);
  }
  const worse = isWorse(differences);
  const whole = { ok: !worse, cli, version, pinned: pin, differences, runs: { pinned, fresh } };
  process.stdout.write(json ? `${JSON.stringify(whole, undefined, 2)}\n` : page);
  return worse ? 1 : 0;
}

async function tryOne(
  { cli, only }: Wanted,
  version: string,
  recorded: Readonly<Record<string, ScreenResult>>,
): Promise<CertifyRun> {
  const keep = pins[cli].version === version;
  const wish = { cli, version, keep, out: process.stderr };
  say(`${cli} ${version}: install`);
  const names = Object.keys(recorded);
  const parts = [names.length > 0 ? 'screens' : '-', only.includes('cases') ? 'cases' : '-'];
  return await withVersion(wish, (run) => runParts(run, cli, [...parts, ...names])).catch(
    (error: unknown) => {
      const isInstall = error instanceof StepFailed && error.message.includes('install.ts');
      if (!isInstall) throw error;
      throw new Error(explainInstall(`${pins[cli].package}@${version}`, error.output));
    },
  );
}

async function runParts(run: RunStep, cli: CliName, parts: readonly string[]): Promise<CertifyRun> {
  const path = join(scratch.folder, 'run.json');
  await run(['test/lab/certify/run-one.ts', cli, path, ...parts]);
  return JSON.parse(readFileSync(path, 'utf8')) as CertifyRun;
}

function removeScratch(): void {
  if (scratch.folder !== '') rmSync(scratch.folder, { recursive: true, force: true });
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
