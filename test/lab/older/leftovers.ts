import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, readProcess } from '../processes.ts';

/**
 * A version that is only here to be tried is noted beside the cache before it is installed, with
 * the process that tries it. Killed without a chance to tidy up, it leaves the note, and the next
 * one removes what the note names.
 */
export function noteTrial(cache: string, label: string): () => void {
  mkdirSync(cache, { recursive: true });
  const note = join(cache, `${prefix}${label}`);
  if (existsSync(note)) throw new Error(`${label} is being tried by another process right now.`);
  writeFileSync(note, JSON.stringify(readProcess(process.pid)));
  return () => {
    rmSync(join(cache, label), { recursive: true, force: true });
    rmSync(note, { force: true });
  };
}

/** Removes what processes that are gone have left. */
export function sweepTrials(cache: string): readonly string[] {
  if (!existsSync(cache)) return [];
  const left = readdirSync(cache).filter((name) => name.startsWith(prefix));
  return left.flatMap((name) => {
    const note = join(cache, name);
    if (isTried(note)) return [];
    const label = name.slice(prefix.length);
    rmSync(join(cache, label), { recursive: true, force: true });
    rmSync(note, { force: true });
    return [label];
  });
}

const prefix = '.trial-';

function isTried(note: string): boolean {
  try {
    return isAlive(JSON.parse(readFileSync(note, 'utf8')));
  } catch {
    // Half-written, or gone: whoever wrote it has not installed anything yet.
    return false;
  }
}
