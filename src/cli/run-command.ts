import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { isatty } from 'node:tty';
import { systemClock } from '../shared/clock.ts';
import { requirePipes } from '../shared/require-pipes.ts';

/**
 * Kept of the output; a completion holds half of it, and what is cut away are escape sequences and
 * the first line.
 */
const tailBytes = 64 * 1024;
/**
 * After the command's end: what it left in the background may hold its output open, and is not
 * waited for.
 */
const silenceMs = 500;

export interface CommandEnd {
  readonly exitCode: number;
  readonly signal?: string;
  readonly failure?: string;
  readonly durationMs: number;
  readonly tail: Buffer;
  readonly written: number;
}

/**
 * Runs a command as if it had been started itself: its input is ours, its output goes where ours
 * goes and is remembered, signals are passed on, and its exit code is told like a shell tells it.
 * It writes to pipes, not to our terminal.
 */
export async function runCommand(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  out: { readonly stdout: Writable; readonly stderr: Writable },
): Promise<CommandEnd> {
  const [program = '', ...args] = argv;
  const startedMs = systemClock.monotonicMs();
  const tail = new Tail();
  const ended = (exit: Exit): CommandEnd => {
    const durationMs = systemClock.monotonicMs() - startedMs;
    return { ...exit, durationMs, tail: tail.read(), written: tail.written };
  };
  let child: ChildProcessByStdio<null, Readable, Readable>;
  try {
    child = requirePipes(spawn(program, args, { env, stdio: ['inherit', 'pipe', 'pipe'] }));
  } catch (error) {
    return ended(describeFailure(error as NodeJS.ErrnoException));
  }
  passSignals(child);
  const relays = [relay(child.stdout, out.stdout, tail), relay(child.stderr, out.stderr, tail)];
  const exit = await waitForExit(child);
  await Promise.all(relays.map((each) => each.finish()));
  return ended(exit);
}

/** The last bytes of all that was written. */
class Tail {
  written = 0;
  #chunks: Buffer[] = [];
  #kept = 0;

  add(chunk: Buffer): void {
    this.written += chunk.length;
    this.#kept += chunk.length;
    this.#chunks.push(chunk);
    while (this.#kept - (this.#chunks[0]?.length ?? 0) >= tailBytes) {
      this.#kept -= this.#chunks.shift()?.length ?? 0;
    }
  }

  read(): Buffer {
    const all = Buffer.concat(this.#chunks);
    return all.subarray(Math.max(0, all.length - tailBytes));
  }
}

/**
 * As fast as whoever reads us. One that went away is gone for the command too, as it would be
 * without us.
 */
function relay(from: Readable, to: Writable, tail: Tail): { finish(): Promise<void> } {
  let lastMs = systemClock.monotonicMs();
  let isOver = false;
  from.on('data', (chunk: Buffer) => {
    tail.add(chunk);
    lastMs = systemClock.monotonicMs();
    if (to.destroyed || to.write(chunk)) return;
    from.pause();
    to.once('drain', () => from.resume());
  });
  to.on('error', () => from.destroy());
  const closed = new Promise<void>((resolve) => {
    from.once('close', () => {
      isOver = true;
      resolve();
    });
  });
  return {
    finish: async () => {
      while (!isOver) {
        const quietMs = from.isPaused() ? 0 : systemClock.monotonicMs() - lastMs;
        if (quietMs >= silenceMs) break;
        await Promise.race([closed, systemClock.sleep(silenceMs - quietMs)]);
      }
      from.destroy();
    },
  };
}

type Exit = Pick<CommandEnd, 'exitCode' | 'signal' | 'failure'>;

function waitForExit(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(describeFailure(error)));
    child.once('exit', (code, signal) => {
      if (signal === null) resolve({ exitCode: code ?? 1 });
      else resolve({ exitCode: 128 + (constants.signals[signal] ?? 0), signal });
    });
  });
}

/** As shells have it: 127 for what is not there, 126 for what cannot be run. */
function describeFailure({ code }: NodeJS.ErrnoException): Exit {
  if (code === 'ENOENT') return { exitCode: 127, failure: 'there is no such program' };
  return { exitCode: 126, failure: `it cannot be run (${code})` };
}

/**
 * Nothing but -9 ends us before the command, nor before its end is told. What a terminal sends by a
 * key it sends to the command as well: passed on, the command would get it twice, and many take a
 * second Ctrl-C for an order to drop everything.
 */
function passSignals(child: ChildProcess): void {
  const hasTerminal = isatty(0);
  for (const signal of passed) {
    process.on(signal, () => {
      if (!hasTerminal || !fromKeys.has(signal)) child.kill(signal);
    });
  }
}

const passed = [
  'SIGINT',
  'SIGQUIT',
  'SIGTERM',
  'SIGHUP',
  'SIGUSR1',
  'SIGUSR2',
  'SIGWINCH',
] as const;
const fromKeys: ReadonlySet<string> = new Set(['SIGINT', 'SIGQUIT', 'SIGWINCH']);
