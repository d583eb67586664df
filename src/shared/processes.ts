import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { Fault } from './fault.ts';
import { createSecret } from './ids.ts';

/**
 * Who a process is, so that another one can tell later whether it still lives. A pid alone is not
 * enough: pids are reused, `kill -0` succeeds on zombies, and another pid namespace counts its own.
 */
export interface ProcessIdentity {
  readonly host: string;
  /** Names one boot of one kernel; monotonic times of the same boot can be compared. */
  readonly boot: string;
  /** The pid namespace, or '' where the system has none. */
  readonly pidSpace: string;
  readonly pid: number;
  /** Opaque; equal only for the same process. */
  readonly startedAt: string;
}

let self: ProcessIdentity | undefined;

function currentProcess(): ProcessIdentity {
  self ??= {
    host: hostname(),
    boot: readBootId(),
    ...readOwnIdentity(),
  };
  return self;
}

/**
 * `unknown` when it lives in another pid namespace or on another host: then only its lease can
 * tell.
 */
function judgeProcess(other: ProcessIdentity): 'alive' | 'dead' | 'unknown' {
  const me = currentProcess();
  if (other.host === me.host && other.boot !== me.boot) return 'dead';
  if (other.boot !== me.boot || other.pidSpace !== me.pidSpace) return 'unknown';
  try {
    return readStartTime(other.pid) === other.startedAt ? 'alive' : 'dead';
  } catch {
    // We could not look (out of file descriptors, say): that proves nobody dead.
    return 'unknown';
  }
}

function readBootId(): string {
  if (process.platform === 'linux') {
    try {
      return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      throw new Fault(
        'daemon-unavailable',
        'signalbox cannot tell here which processes live, because /proc is not mounted.',
        'Mount it (`mount -t proc proc /proc`), or run this outside the sandbox.',
        { cause: error },
      );
    }
  }
  return execFileSync('sysctl', ['-n', 'kern.bootsessionuuid'], { encoding: 'utf8' }).trim();
}

/**
 * In a sandbox /proc may be missing, or show another pid namespace's processes, so that our pid
 * names a stranger there. Then we give ourselves a namespace that nobody else is in: everybody is
 * `unknown` to us and we to them, and leases decide.
 */
function readOwnIdentity(): Pick<ProcessIdentity, 'pidSpace' | 'pid' | 'startedAt'> {
  const { pid } = process;
  if (process.platform !== 'linux')
    return { pidSpace: '', pid, startedAt: readStartTime(pid) ?? '' };
  try {
    const startedAt = readStartTime(pid);
    if (readlinkSync('/proc/self') === String(pid) && startedAt !== undefined) {
      return { pidSpace: readlinkSync('/proc/self/ns/pid'), pid, startedAt };
    }
  } catch {
    // No /proc at all.
  }
  return { pidSpace: createSecret('unseen'), pid, startedAt: '' };
}

/** Undefined when there is no such process, or only its zombie. */
export function readStartTime(pid: number): string | undefined {
  return process.platform === 'linux' ? readStat(pid)?.[19] : askPs(pid);
}

/**
 * The process belongs to no terminal. For one that was started in a terminal this means that the
 * terminal is closed for good: the kernel takes it away from the whole session then. False where it
 * cannot be known (macOS) and where there is no such process.
 */
export function hasNoTerminal(pid: number): boolean {
  return process.platform === 'linux' && readStat(pid)?.[4] === '0';
}

/**
 * The number of a process's controlling terminal; undefined without one, for a process that has
 * ended, and where the system does not tell (macOS).
 */
export function readTerminalNumber(pid: number): number | undefined {
  const number = process.platform === 'linux' ? Number(readStat(pid)?.[4]) : 0;
  return number > 0 ? number : undefined;
}

/**
 * The path of a process's controlling terminal, by its number, whatever its input and output are;
 * undefined without one, and for kinds of terminals that are neither `/dev/pts/3` nor `/dev/tty1`.
 */
export function readTerminalPath(pid: number): string | undefined {
  const number = readTerminalNumber(pid);
  if (number === undefined) return undefined;
  const major = (number >>> 8) & 0xfff;
  const minor = (number & 0xff) | ((number >>> 12) & 0xfff00);
  if (major >= 136 && major <= 143) return `/dev/pts/${(major - 136) * 256 + minor}`;
  return major === 4 && minor < 64 ? `/dev/tty${minor}` : undefined;
}

/** The fields of /proc/pid/stat after the command; undefined for a process that has ended. */
function readStat(pid: number): readonly string[] | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
  // The second field is the command in parentheses and may itself hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields;
}

function askPs(pid: number): string | undefined {
  try {
    const answer = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
    }).trim();
    return answer.startsWith('Z') ? undefined : answer.replace(/^\S+\s+/, '');
  } catch (error) {
    // ps answers 1 for a pid that it does not know.
    if ((error as { status?: unknown }).status === 1) return undefined;
    throw error;
  }
}

/**
 * This process as a holder, and its judgement of others. A parameter, so that tests can kill
 * without killing.
 */
export interface Host {
  readonly identity: ProcessIdentity;
  judge(other: ProcessIdentity): 'alive' | 'dead' | 'unknown';
}

export const systemHost: Host = {
  get identity() {
    return currentProcess();
  },
  judge: judgeProcess,
};

/** Whether a process of that number exists here; which one it is, its start time says. */
export function isAlive(pid: number): boolean {
  return readStartTime(pid) !== undefined;
}

/**
 * It has ended, and whoever began it, or the system's first process, has not taken note: its number
 * is not free yet.
 */
export function isZombie(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    // There is none of that number, or it is another user's.
    return false;
  }
  return !isAlive(pid);
}
