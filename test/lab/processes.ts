import { readdirSync, readFileSync } from 'node:fs';

/** A process as found in /proc; the start time tells it from a later one with the same pid. */
export interface FoundProcess {
  readonly pid: number;
  readonly parent: number;
  readonly startedAt: string;
  readonly command: string;
}

/**
 * Everything that came from one start: whatever carries `NAME=value` in its environment, the given
 * process if it is still the same one, and all their children. The environment finds those that
 * left the tree: CLIs start background servers in sessions of their own.
 */
export function findFamily(root: FoundProcess | undefined, mark: string): readonly FoundProcess[] {
  // What is found here gets signals: an empty mark would be found in every process there is.
  if (!/^\w+=.{8,}$/.test(mark)) throw new Error(`"${mark}" marks no family`);
  const all = listProcesses();
  const isRoot = ({ pid, startedAt }: FoundProcess): boolean =>
    pid === root?.pid && startedAt === root.startedAt;
  const family = new Set(all.filter((found) => isRoot(found) || hasMark(found.pid, mark)));
  for (let size = -1; size !== family.size; ) {
    size = family.size;
    const pids = new Set([...family].map(({ pid }) => pid));
    for (const found of all) if (pids.has(found.parent)) family.add(found);
  }
  return [...family].filter(({ pid }) => pid !== process.pid);
}

export function isAlive({ pid, startedAt }: FoundProcess): boolean {
  return readProcess(pid)?.startedAt === startedAt;
}

/** Sends a signal only to the very process that was found. */
export function signalProcess(found: FoundProcess, signal: NodeJS.Signals): void {
  if (!isAlive(found)) return;
  try {
    process.kill(found.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function listProcesses(): readonly FoundProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
}

/** Undefined when it is gone, or only its zombie is left. */
export function readProcess(pid: number): FoundProcess | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command stands in parentheses and may hold spaces and parentheses itself.
    const end = stat.lastIndexOf(')');
    const fields = stat.slice(end + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    const command = stat.slice(stat.indexOf('(') + 1, end);
    return { pid, parent: Number(fields[1]), startedAt: fields[19] ?? '', command };
  } catch {
    return undefined;
  }
}

function hasMark(pid: number, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(mark);
  } catch {
    return false;
  }
}
