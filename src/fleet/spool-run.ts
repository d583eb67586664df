import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { limits } from '../messages/message.ts';
import { isMissing } from '../providers/record-files.ts';
import { parseObject } from '../shared/json.ts';
import type { RunEnd } from './end-run.ts';

/**
 * The end of a run that could not be committed (the ledger is locked, the disk is full), on its way
 * through a file. One file per run, whole or not at all; whoever commits it removes it, and the
 * ledger sees to it that it counts once.
 */
export async function spoolRun(folder: string, end: RunEnd): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = pathOf(folder, end.agent);
  const draft = `${path}.${process.pid}`;
  try {
    const file = await open(draft, 'w', 0o600);
    try {
      await file.writeFile(JSON.stringify(end));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    // The first error is the one to tell; a draft is never read.
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
  return path;
}

/**
 * Undefined when there is none; `unreadable` is to be asked again (rule 41). One that is no such
 * file is put aside.
 */
export async function readSpooled(
  folder: string,
  agent: string,
): Promise<RunEnd | 'unreadable' | undefined> {
  const path = pathOf(folder, agent);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    return isMissing(error) ? undefined : 'unreadable';
  }
  const end = parse(text, agent);
  // One that cannot be moved is met again, and is no better then.
  if (!end) await rename(path, `${path}.bad`).catch(() => undefined);
  return end;
}

export async function forgetSpooled(folder: string, agent: string): Promise<void> {
  await rm(pathOf(folder, agent), { force: true });
}

/** Of which runs there are files. */
export async function listSpooled(folder: string): Promise<readonly string[]> {
  // Nothing was ever spooled; what cannot be listed is only cleared away later.
  const names = await readdir(folder).catch(() => []);
  return names.flatMap((name) => /^(agt_[0-9a-z]+)\.json$/.exec(name)?.[1] ?? []);
}

function pathOf(folder: string, agent: string): string {
  return join(folder, `${agent}.json`);
}

function parse(text: string, agent: string): RunEnd | undefined {
  const { agent: own, outcome, body } = parseObject(text) ?? {};
  const isEnd = own === agent && (outcome === 'completed' || outcome === 'failed');
  if (!isEnd || typeof body !== 'string' || Buffer.byteLength(body) > limits.completion) {
    return undefined;
  }
  return { agent, outcome, body };
}
