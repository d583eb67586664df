import { spawn } from 'node:child_process';
import { reportBug } from '../../shared/report-bug.ts';
import { requirePipes } from '../../shared/require-pipes.ts';

/**
 * Ends a control client when this process ends, whatever ends it. An attached client's pipes are
 * the server's, and a server that has something to write to a reader that is gone never lets the
 * client go: both sleep, programs that print are held back, and `kill-server` does not end it
 * (3.3a: `kill -9` of the daemon while a program printed). So a shell in a session of its own
 * stands beside the client, whose standard input nobody but us holds open. Returns what dismisses
 * it, once the client has ended.
 */
export function endWithUs(client: number, env: NodeJS.ProcessEnv): () => void {
  const guard = spawn('sh', ['-c', script, 'sh', String(client)], {
    env,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  // Without it the client may outlive us, as it did; it is no reason to do without a terminal.
  guard.once('error', (error) => reportBug('standing by a tmux client', error));
  try {
    requirePipes(guard);
  } catch (error) {
    reportBug('standing by a tmux client', error);
    return () => undefined;
  }
  guard.stdin.on('error', () => undefined); // It was dismissed.
  guard.unref();
  (guard.stdin as unknown as { unref(): void }).unref();
  return () => void guard.kill('SIGKILL');
}

/** Another process may have got the number since: it began at another time. */
const script = `at=$(ps -o lstart= -p "$1" 2>&1)
read -r _
[ "$(ps -o lstart= -p "$1" 2>&1)" = "$at" ] && kill -KILL "$1"`;
