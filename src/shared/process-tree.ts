import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Clock } from './clock.ts';
import { isDiskTrouble } from './disk-trouble.ts';
import { readStartTime } from './processes.ts';

/** A process that is told apart from a later one with the same pid. */
export interface ProcessRef {
  readonly pid: number;
  readonly startedAt: string;
}

/** By what processes are found again that have left their tree. */
export interface Traces {
  /** `NAME=value`; all of them stand in the environment that the process was started with. */
  readonly marks: readonly string[];
  /**
   * Stands in its arguments. It counts only where the process hides its environment from its own
   * user, as Codex 0.166.0 does.
   */
  readonly path?: string;
}

/**
 * The process, everything below it, and everything that carries the traces: programs that left the
 * tree by forking twice keep the environment they were started with. Some CLIs do leave processes
 * behind that way.
 */
export function listTree(
  root: ProcessRef | undefined,
  traces: Traces | readonly string[],
): readonly ProcessRef[] {
  const { marks, path } = 'marks' in traces ? traces : { marks: traces };
  const all = listProcesses();
  const wanted = new Set<number>();
  if (root && readStartTime(root.pid) === root.startedAt) wanted.add(root.pid);
  const spared = marks.length > 0 ? findMultiplexers(all, marks) : new Set<number>();
  for (const { pid } of all) {
    if (pid === process.pid || spared.has(pid)) continue;
    if (marks.length > 0 && carries(pid, marks, path)) wanted.add(pid);
  }
  for (let grew = true; grew; ) {
    grew = false;
    for (const { pid, parent } of all) {
      if (wanted.has(pid) || !wanted.has(parent) || pid === process.pid || spared.has(pid))
        continue;
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

/**
 * Servers of terminal multiplexers, and everything in them. One that a program happened to start
 * first carries that program's marks, and by now other people's work may live in it.
 */
function findMultiplexers(all: readonly Relation[], marks: readonly string[]): ReadonlySet<number> {
  const spared = new Set<number>();
  for (const { pid, name } of all) {
    if (/^(tmux: server|screen|zellij|herdr|herdr-dev)$/i.test(name) && carries(pid, marks))
      spared.add(pid);
  }
  for (let grew = true; grew; ) {
    grew = false;
    for (const { pid, parent } of all) {
      if (spared.has(pid) || !spared.has(parent)) continue;
      spared.add(pid);
      grew = true;
    }
  }
  return spared;
}

/**
 * Asks politely, waits, kills, and looks again: what it returns still lives. Whatever was found
 * once is followed to its own end: a child that does not carry the marks is lost to `find` when its
 * parent goes first.
 */
export async function endTree(
  find: () => readonly ProcessRef[],
  clock: Clock,
  patienceMs: number,
): Promise<{
  readonly found: number;
  readonly killed: number;
  readonly left: readonly ProcessRef[];
}> {
  const known = new Map<string, ProcessRef>();
  const look = (): readonly ProcessRef[] => {
    for (const found of find()) known.set(`${found.pid} ${found.startedAt}`, found);
    return [...known.values()].filter(({ pid, startedAt }) => readStartTime(pid) === startedAt);
  };
  const all = look();
  const found = all.length;
  if (found === 0) return { found, killed: 0, left: [] };
  for (const process of all) signal(process, 'SIGTERM');
  if (await isGoneWithin(look, clock, patienceMs)) return { found, killed: 0, left: [] };
  let killed = 0;
  // More than once: a process may fork between the look and the kill.
  for (let round = 0; round < 5; round++) {
    for (const process of look()) {
      signal(process, 'SIGKILL');
      killed++;
    }
    if (await isGoneWithin(look, clock, 1000)) return { found, killed, left: [] };
  }
  return { found, killed, left: look() };
}

/**
 * Two looks in a row must find nothing: what forks after /proc was listed, and ends before its
 * environment was read, hides its child from that look.
 */
async function isGoneWithin(
  look: () => readonly ProcessRef[],
  clock: Clock,
  limitMs: number,
): Promise<boolean> {
  const end = clock.monotonicMs() + limitMs;
  let wasEmpty = false;
  for (let waitMs = 10; ; waitMs = Math.min(waitMs * 2, 100)) {
    const isEmpty = look().length === 0;
    if (isEmpty && wasEmpty) return true;
    wasEmpty = isEmpty;
    if (!isEmpty && clock.monotonicMs() >= end) return false;
    await clock.sleep(waitMs);
  }
}

function signal({ pid, startedAt }: ProcessRef, name: NodeJS.Signals): void {
  // The pid may be another's by now; between this look and the signal nothing but luck protects, as
  // everywhere on Unix.
  if (readStartTime(pid) !== startedAt) return;
  try {
    process.kill(pid, name);
  } catch {
    // Gone meanwhile, or not ours to signal: the next look tells.
  }
}

function carries(pid: number, marks: readonly string[], path?: string): boolean {
  if (process.platform !== 'linux') return false;
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
    return marks.every((mark) => variables.includes(mark));
  } catch (error) {
    throwTrouble(error);
    // It has ended, is another user's, or lets nobody look.
    return (error as NodeJS.ErrnoException).code === 'EACCES' && names(pid, path);
  }
}

/** A process of our own user that hides its environment still shows its arguments. */
function names(pid: number, path: string | undefined): boolean {
  if (path === undefined) return false;
  try {
    const [, owner] = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return Number(owner) === process.getuid?.() && words.some((word) => isBelow(word, path));
  } catch (error) {
    throwTrouble(error);
    // It has ended.
    return false;
  }
}

/** Without a file descriptor, say, nobody can see whether it runs: that ends nothing (rule 41). */
function throwTrouble(error: unknown): void {
  if (isDiskTrouble(error)) throw error;
}

/** As a path of its own, or as the path of a URL: a text that only mentions it is nobody's mark. */
function isBelow(word: string, path: string): boolean {
  return word.startsWith(`${path}/`) || word.includes(`://${path}/`);
}

interface Relation {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
}

function listProcesses(): readonly Relation[] {
  if (process.platform !== 'linux') return askPs();
  const found: Relation[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const program = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
      found.push({ pid: Number(name), parent: Number(fields[1]), name: program });
    } catch (error) {
      throwTrouble(error);
      // It ended while we looked.
    }
  }
  return found;
}

function askPs(): readonly Relation[] {
  const columns = ['-axo', 'pid=,ppid=,comm='];
  const lines = execFileSync('ps', columns, { encoding: 'utf8' }).trim().split('\n');
  return lines.map((line) => {
    const [pid = '', parent = '', ...name] = line.trim().split(/\s+/);
    return { pid: Number(pid), parent: Number(parent), name: name.join(' ') };
  });
}

/**
 * This process's parent, its parent, and so on, up to the first process: in a sandbox with a pid
 * namespace of its own that one is the sandbox's. All of them, however many: whoever is asked about
 * may stand behind a thousand shells. Empty where they cannot be seen.
 */
export function listAncestors(): readonly ProcessRef[] {
  const found = new Map<number, ProcessRef>();
  if (!seesProcesses()) return [];
  // A number that comes again has been given to a new process while we looked.
  for (let pid = process.ppid; pid > 0 && !found.has(pid); ) {
    const startedAt = readStartTime(pid);
    if (startedAt === undefined) break;
    found.set(pid, { pid, startedAt });
    pid = readParent(pid);
  }
  return [...found.values()];
}

/**
 * Whether the numbers of processes mean here what they mean to us: /proc is there, and is that of
 * our own pid namespace.
 */
export function seesProcesses(): boolean {
  if (process.platform !== 'linux') return true;
  try {
    return readlinkSync('/proc/self') === String(process.pid);
  } catch {
    // No /proc at all.
    return false;
  }
}

/** As the system calls its program; undefined for one that has ended, and on macOS. */
export function readName(pid: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    // It has ended.
    return undefined;
  }
}

/** 0: it has ended, or nobody can tell. */
export function readParent(pid: number): number {
  if (process.platform !== 'linux') {
    return askPs().find((candidate) => candidate.pid === pid)?.parent ?? 0;
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    // It has ended.
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
    // It has ended, or is another user's.
    return undefined;
  }
}
