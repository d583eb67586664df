import { execFile } from 'node:child_process';
import { shortSocketPath } from '../shared/short-path.ts';

/** Longer than any answer of a server that works. */
const deadlineMs = 5000;

/**
 * What a person could type: tmux on the demo's own socket; it starts no server. Undefined when
 * there is no server, or it does not answer.
 */
export function tmuxByHand(home: string, args: readonly string[]): Promise<string | undefined> {
  const { TMUX: _, TMUX_PANE: __, ...env } = process.env;
  const socket = shortSocketPath(home, 'tmux.sock', env);
  return new Promise((done) => {
    const options = { env, timeout: deadlineMs, killSignal: 'SIGKILL' } as const;
    execFile(
      'tmux',
      ['-N', '-u', '-f', '/dev/null', '-S', socket, ...args],
      options,
      (error, stdout) => done(error ? undefined : stdout.trimEnd()),
    );
  });
}

export async function findServer(home: string): Promise<number | undefined> {
  return toPid(await tmuxByHand(home, ['display-message', '-p', '#{pid}']));
}

/** The client through which the daemon sees and steers its terminals. */
export async function findControlClient(home: string): Promise<number | undefined> {
  const format = '#{client_control_mode} #{client_pid}';
  const listed = await tmuxByHand(home, ['list-clients', '-F', format]);
  return toPid(/^1 (\d+)$/m.exec(listed ?? '')?.[1]);
}

function toPid(text: string | undefined): number | undefined {
  const pid = Number(text);
  return Number.isInteger(pid) && pid > 1 ? pid : undefined;
}
