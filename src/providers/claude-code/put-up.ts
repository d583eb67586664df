import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Clock, systemClock } from '../../shared/clock.ts';
import { reportBug } from '../../shared/report-bug.ts';
import type { AgentContext } from '../provider.ts';
import type { PutUp } from '../way-in.ts';
import { configFolder } from './config-folder.ts';

/**
 * A new time on the user's settings is noticed after 1 s; one that follows sooner is the same
 * change to Claude Code (2.1.325).
 */
const sameChangeMs = 1500;

/** By the path, on our own clock: wall time may be set back. */
const touched = new Map<string, number>();

/**
 * A resting Claude Code whose waiting hook was killed starts none by itself. A new modification
 * time on the user's own settings makes it fire ConfigChange, also for a hook of the `--settings`
 * file; a new time on that file itself does not (2.1.325: after 1.03 s, nothing on the screen; the
 * first one in a new home may be missed). The time is all that changes: the file is never made,
 * never written to, never reached through a link, and never touched inside a repository, where a
 * person would meet it as a change.
 */
export async function putUp(
  { env }: Pick<AgentContext, 'env'>,
  clock: Pick<Clock, 'now' | 'monotonicMs'> = systemClock,
): Promise<PutUp> {
  const folder = configFolder(env);
  const path = join(folder, 'settings.json');
  try {
    const real = await realpath(folder);
    const repository = await findRepository(real);
    if (repository !== undefined) return cannot(`${path} is in a repository, ${repository}`);
    const nowMs = clock.monotonicMs();
    const isFresh = nowMs - (touched.get(path) ?? Number.NEGATIVE_INFINITY) < sameChangeMs;
    const objection = isFresh ? undefined : await touch(path, clock.now());
    if (objection !== undefined) return cannot(objection);
    if (!isFresh) noteTouched(path, nowMs);
    return { outcome: 'asked' };
  } catch (error) {
    reportBug("putting up Claude Code's hook", error);
    return cannot(explain(error as NodeJS.ErrnoException, path));
  }
}

/** What is older than a change takes to be noticed says nothing any more. */
function noteTouched(path: string, nowMs: number): void {
  for (const [other, atMs] of touched) if (nowMs - atMs >= sameChangeMs) touched.delete(other);
  touched.set(path, nowMs);
}

/** By one handle, so that what was looked at is what is touched. */
async function touch(path: string, now: number): Promise<string | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file: FileHandle = await open(path, flags);
  try {
    const found = await file.stat();
    const objection = judge(found, path);
    if (objection === undefined) await file.utimes(found.atime, new Date(now));
    return objection;
  } finally {
    await file.close();
  }
}

function judge(found: Stats, path: string): string | undefined {
  if (!found.isFile()) return `${path} is no file`;
  // Its other name may be in a repository.
  if (found.nlink > 1) return `${path} is a link`;
  return undefined;
}

async function findRepository(folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const isThere = await stat(join(at, '.git')).then(() => true, isPresent);
    if (isThere) return at;
    if (at === dirname(at)) return undefined;
  }
}

/** What cannot be looked at may be one (rule 41). */
function isPresent(error: NodeJS.ErrnoException): boolean {
  return error.code !== 'ENOENT' && error.code !== 'ENOTDIR';
}

function explain({ code, message }: NodeJS.ErrnoException, path: string): string {
  if (code === 'ENOENT') return `there is no ${path}`;
  if (code === 'ELOOP') return `${path} is a link`;
  return `${path}: ${message}`;
}

function cannot(why: string): PutUp {
  const help = 'any prompt that a person types there brings the hook back';
  return { outcome: 'cannot', why: `its hook cannot be put up again, since ${why}; ${help}` };
}
