import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { Clock } from './clock.ts';
import { readStartTime } from './processes.ts';

/** A process that is told apart from a later one with the same pid. */
export interface ProcessRef {
  readonly pid: number;
  readonly startedAt: string;
}

/**
 * The process, everything below it, and everything that carries one of the marks in its environment: programs that left the
 * tree by forking twice keep the environment they were started with. Some CLIs do leave processes behind that way.
 */
export function listTree(
  root: ProcessRef | undefined,
  marks: readonly string[],
): readonly ProcessRef[] {
  const all = listProcesses();
  const wanted = new Set<number>();
  if (root && readStartTime(root.pid) === root.startedAt) wanted.add(root.pid);
  for (const { pid } of all) {
    if (pid !== process.pid && marks.length > 0 && carries(pid, marks)) wanted.add(pid);
  }
  for (let grew = true; grew; ) {
    grew = false;
    for (const { pid, parent } of all) {
      if (wanted.has(pid) || !wanted.has(parent) || pid === process.pid) continue;
      wanted.add(pid);
      grew = true;
    }
  }
  const refs: ProcessRef[] = [];
  for (const pid of wanted) {
    const startedAt = readStartTime(pid);
    if (startedAt !== undefined) refs.push({ pid, startedAt });
  }
  return refs;
}

/** Asks politely, waits, kills, and looks again: what it returns still lives. */
export async function endTree(
  find: () => readonly ProcessRef[],
  clock: Clock,
  patienceMs: number,
): Promise<{ readonly killed: number; readonly left: readonly ProcessRef[] }> {
  for (const process of find()) signal(process, 'SIGTERM');
  if (await isGoneWithin(find, clock, patienceMs)) return { killed: 0, left: [] };
  let killed = 0;
  // More than once: a process may fork between the look and the kill.
  for (let round = 0; round < 5; round++) {
    for (const process of find()) {
      signal(process, 'SIGKILL');
      killed++;
    }
    if (await isGoneWithin(find, clock, 1000)) return { killed, left: [] };
  }
  return { killed, left: find() };
}

async function isGoneWithin(
  find: () => readonly ProcessRef[],
  clock: Clock,
  limitMs: number,
): Promise<boolean> {
  const end = clock.monotonicMs() + limitMs;
  for (let waitMs = 10; ; waitMs = Math.min(waitMs * 2, 100)) {
    if (find().length === 0) return true;
    if (clock.monotonicMs() >= end) return false;
    await clock.sleep(waitMs);
  }
}

function signal({ pid, startedAt }: ProcessRef, name: NodeJS.Signals): void {
  // The pid may be another's by now; between this look and the signal nothing but luck protects, as everywhere on Unix.
  if (readStartTime(pid) !== startedAt) return;
  try {
    process.kill(pid, name);
  } catch {
    // Gone meanwhile, or not ours to signal: the next look tells.
  }
}

function carries(pid: number, marks: readonly string[]): boolean {
  if (process.platform !== 'linux') return false;
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
    return marks.every((mark) => variables.includes(mark));
  } catch {
    return false;
  }
}

function listProcesses(): readonly { pid: number; parent: number }[] {
  if (process.platform !== 'linux') return askPs();
  const found: { pid: number; parent: number }[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      found.push({ pid: Number(name), parent: Number(fields[1]) });
    } catch {
      // It ended while we looked.
    }
  }
  return found;
}

function askPs(): readonly { pid: number; parent: number }[] {
  const lines = execFileSync('ps', ['-axo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return lines.map((line) => {
    const [pid = 0, parent = 0] = line.trim().split(/\s+/).map(Number);
    return { pid, parent };
  });
}

/** This process's parent, its parent, and so on. */
export function listAncestors(): readonly ProcessRef[] {
  const found: ProcessRef[] = [];
  for (let pid = process.ppid; pid > 1 && found.length < 100; ) {
    const startedAt = readStartTime(pid);
    if (startedAt === undefined) break;
    found.push({ pid, startedAt });
    pid = readParent(pid);
  }
  return found;
}

function readParent(pid: number): number {
  if (process.platform !== 'linux') {
    return askPs().find((candidate) => candidate.pid === pid)?.parent ?? 0;
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
}

/** The environment a process was started with; undefined where that cannot be read. */
export function readEnvironment(pid: number): Record<string, string> | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const pairs = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
    return Object.fromEntries(
      pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
    );
  } catch {
    return undefined;
  }
}
