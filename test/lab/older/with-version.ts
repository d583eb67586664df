import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../cache.ts';
import { noteTrial, sweepTrials } from './leftovers.ts';
import type { Older } from './list.ts';

/** Runs a program of the lab with that version, to its end; throws when it fails. */
export type RunStep = (args: readonly string[]) => Promise<void>;

export interface TrialWish extends Older {
  /** Leaves the version in the cache. */
  readonly keep: boolean;
  /** Where programs of the lab write. */
  readonly out: NodeJS.WritableStream;
}

/** A program of the lab that failed, with the end of what it wrote. */
export class StepFailed extends Error {
  readonly output: string;

  constructor(args: readonly string[], code: number | null, output: string) {
    super(`${args.join(' ')} ended with ${code}`);
    this.output = output;
  }
}

let child: ChildProcess | undefined;
let clean = (): void => undefined;

/** For whoever is told to end: what runs ends its CLI itself, and only then is that removed. */
export async function endTrial(): Promise<void> {
  const running = child;
  const ended = running && new Promise((done) => running.once('exit', done));
  running?.kill('SIGTERM');
  await ended;
  clean();
}

/**
 * Installs a version into the lab's cache, and removes it afterwards: not one that was there
 * before, and not one to keep.
 */
export async function withVersion<T>(
  { cli, version, keep, out }: TrialWish,
  body: (run: RunStep) => Promise<T>,
): Promise<T> {
  const cache = cacheFolder();
  for (const label of sweepTrials(cache)) {
    out.write(`removed ${label}, which a killed run had left\n`);
  }
  const label = `${cli}-${version}`;
  const isOurs = !keep && !existsSync(join(cache, label));
  const remove = isOurs ? noteTrial(cache, label) : () => undefined;
  clean = remove;
  const env = { ...process.env, LAB_VERSIONS: `${cli}=${version}` };
  const run: RunStep = (args) => runStep(args, env, out);
  try {
    await run(['test/lab/install.ts', cli]);
    return await body(run);
  } finally {
    remove();
    clean = () => undefined;
  }
}

const keptOutput = 8000;

async function runStep(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  out: NodeJS.WritableStream,
): Promise<void> {
  // A stdin that stays open for as long as we live: by it the other one knows.
  const started = spawn(process.execPath, ['--import', 'tsx', ...args], { env, stdio: 'pipe' });
  child = started;
  let output = '';
  for (const stream of [started.stdout, started.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      out.write(chunk);
      output = (output + chunk.toString()).slice(-keptOutput);
    });
  }
  try {
    const code = await new Promise<number | null>((done, fail) => {
      started.once('error', fail);
      started.once('close', done);
    });
    if (code !== 0) throw new StepFailed(args, code, output);
  } finally {
    child = undefined;
  }
}
