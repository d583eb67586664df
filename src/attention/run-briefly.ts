import { spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import { type Clock, pause } from '../shared/clock.ts';
import { endTree, listTree, type ProcessRef } from '../shared/process-tree.ts';
import { readStartTime } from '../shared/processes.ts';
import { reportBug } from '../shared/report-bug.ts';
import { requirePipes } from '../shared/require-pipes.ts';

/** Of what it says on stderr, for the log. */
const keptBytes = 2000;
/** One that says more is ended: reading all of it would take the daemon's time. */
const floodBytes = 1024 * 1024;
/** Between the request to end and the kill. */
const patienceMs = 500;

export interface Brief {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** `NAME=value` in that environment: by it all that it started is found. */
  readonly mark: string;
  readonly input: string;
  readonly limitMs: number;
  /** Ends it before its time. */
  readonly over: AbortSignal;
}

export type Ran =
  | { readonly outcome: 'done' }
  | {
      readonly outcome: 'failed' | 'timed-out' | 'flooded' | 'cut-off';
      /** Its exit code, and the first of what it said. */
      readonly why: string;
    };

/**
 * Runs one program in a process group of its own, for at most so long; then the group is ended,
 * with all that carries the mark. Its stdout goes nowhere: the system throws it away, however much
 * it is. Never throws.
 */
export async function runBriefly(clock: Clock, brief: Brief): Promise<Ran> {
  try {
    // It may have ended since whoever asks has looked.
    if (brief.over.aborted) return { outcome: 'cut-off', why: daemonEnded };
    return await follow(clock, brief, start(brief));
  } catch (error) {
    // Whatever it is, whoever asked tells it.
    return { outcome: 'failed', why: error instanceof Error ? error.message : String(error) };
  }
}

const daemonEnded = 'the daemon ended';

function start({ argv: [program = '', ...words], env }: Brief) {
  const stdio: ['pipe', 'ignore', 'pipe'] = ['pipe', 'ignore', 'pipe'];
  return requirePipes(spawn(program, words, { cwd: '/', env, detached: true, stdio }));
}

function follow(clock: Clock, brief: Brief, child: ReturnType<typeof start>): Promise<Ran> {
  const { mark, input, limitMs, over } = brief;
  return new Promise((resolve) => {
    const enough = new AbortController();
    let isEnding = false;
    const kept: Buffer[] = [];
    let bytes = 0;
    const tell = (why: string): string => {
      const said = readWhole(Buffer.concat(kept).subarray(0, keptBytes)).trim();
      return said === '' ? why : `${why}: ${said}`;
    };
    const finish = (ran: Ran): void => {
      enough.abort();
      over.removeEventListener('abort', cutOff);
      // What it left in the background may hold them open.
      child.stdin.destroy();
      child.stderr.destroy();
      resolve(ran);
    };
    const end = async (outcome: 'timed-out' | 'flooded' | 'cut-off', why: string) => {
      if (isEnding) return;
      isEnding = true;
      const left = await endGroup(clock, child.pid, mark);
      finish({ outcome, why: tell(`${why}${left}`) });
    };
    const cutOff = (): void => void end('cut-off', daemonEnded);
    over.addEventListener('abort', cutOff);
    child.once('error', (error) => finish({ outcome: 'failed', why: error.message }));
    child.once('exit', (code, signal) => {
      if (isEnding) return;
      if (code === 0) return finish({ outcome: 'done' });
      const how = signal ? `ended by ${signal}` : `exit code ${code}`;
      // Its last words may still be on their way.
      setImmediate(() => finish({ outcome: 'failed', why: tell(how) }));
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (bytes < keptBytes) kept.push(chunk);
      bytes += chunk.length;
      if (bytes > floodBytes) void end('flooded', 'more than 1 MiB on stderr');
    });
    // It need not read what it is given.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    void pause(clock, limitMs, enough.signal).then((isOver) => {
      if (isOver) void end('timed-out', `still running after ${limitMs / 1000} s`);
    });
  });
}

/** Without the first bytes of a character at the end. */
function readWhole(bytes: Buffer): string {
  return new StringDecoder('utf8').write(bytes);
}

/**
 * Politely, then by force; the group once more, for what carries no mark and has no parent. Returns
 * what is to be said beside it.
 */
async function endGroup(clock: Clock, pid: number | undefined, mark: string): Promise<string> {
  if (pid === undefined) return '';
  try {
    const startedAt = readStartTime(pid);
    const root: ProcessRef | undefined = startedAt === undefined ? undefined : { pid, startedAt };
    await endTree(() => listTree(root, [mark]), clock, patienceMs);
    return '';
  } catch (error) {
    reportBug('ending a program that was run briefly', error);
    const why = error instanceof Error ? error.message : String(error);
    return `; what it has started may still run (${why})`;
  } finally {
    killGroup(pid);
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody is left in it.
  }
}

/** What an earlier daemon left behind when it was killed: the programs that ran then. */
export async function endLeftOver(clock: Clock, marks: readonly string[]): Promise<number> {
  const find = () => marks.flatMap((mark) => listTree(undefined, [mark]));
  return (await endTree(find, clock, patienceMs)).found;
}
