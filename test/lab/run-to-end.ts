import { type ChildProcess, spawn } from 'node:child_process';

export interface RunOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly deadlineMs: number;
}

const running = new Set<ChildProcess>();

/** For whoever is told to end: each of these has a process group that outlives ours. */
export function endRunning(): void {
  for (const { pid } of running) if (pid !== undefined) process.kill(-pid, 'SIGKILL');
}

/**
 * Runs a program and gives its output; throws with the end of what it said when it fails or takes
 * too long.
 */
export async function runToEnd(argv: readonly string[], options: RunOptions): Promise<string> {
  const { cwd, env, deadlineMs } = options;
  const [command = '', ...args] = argv;
  // A process group of its own, so that the deadline ends its children too.
  const child = spawn(command, args, {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, deadlineMs);
  try {
    const code = await new Promise<number | null>((done, fail) => {
      child.once('error', fail);
      child.once('close', done);
    });
    const text = Buffer.concat(output).toString();
    if (code === 0) return text;
    const why = isLate ? `did not end within ${deadlineMs / 1000} s` : `ended with ${code}`;
    throw new Error(`${argv.join(' ')} ${why}:\n${text.slice(-2000)}`);
  } finally {
    running.delete(child);
    clearTimeout(timer);
  }
}
