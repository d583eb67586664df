import { spawn } from 'node:child_process';

export interface TmuxOptions {
  /**
   * Only the first command, which starts the server, needs more than a terminal's name and a path.
   */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

const deadlineMs = 10_000;

/**
 * Runs one tmux command list on a private server, untouched by anybody's configuration; gives what
 * it prints.
 */
export async function runTmux(
  socket: string,
  args: readonly string[],
  { env = {}, input = '' }: TmuxOptions,
): Promise<string> {
  const base = { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8' };
  const child = spawn('tmux', ['-u', '-S', socket, '-f', '/dev/null', ...args], {
    env: { ...base, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: deadlineMs,
    killSignal: 'SIGKILL',
  });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  child.stdin.on('error', () => undefined); // It may end before it has read everything.
  child.stdin.end(input);
  const code = await new Promise<number | null>((done, fail) => {
    child.once('error', fail);
    child.once('close', done);
  });
  if (code === 0) return Buffer.concat(out).toString();
  throw new Error(`tmux ${args[0]} ended with ${code}: ${Buffer.concat(err).toString().trim()}`);
}
