import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { Desk } from './desk.ts';

/** It and the daemon's answer fit into the second that a hook may take (rule 23). */
const payloadMs = 250;

/**
 * The hook client without curl, and the one that writes to the ledger when there is no daemon: `<ledger> post <event>`,
 * `<ledger> wait <event>`, `<ledger> commit <event> <report>`. Started by `hook-client.sh`, which says why and when. Whatever
 * goes wrong, it is silent, and its exit code is 0: an agent is never broken by its hook (rule 23).
 */
async function main(args: readonly string[]): Promise<number> {
  const [ledgerPath = '', verb, event = '', report] = args;
  const { SIGNALBOX_SOCKET: socket, SIGNALBOX_TOKEN: token } = process.env;
  if (!socket || !token) return 0;
  const desk = new Desk(socket, token);
  switch (verb) {
    case 'post':
      // A CLI may not end its payload, or not wait for us.
      setTimeout(() => process.exit(0), 1000).unref();
      return desk.post(event, await readPayload(), (payload, report) =>
        commitAlone(ledgerPath, [event, report], payload),
      );
    case 'wait':
      return desk.wait(await text(process.stdin));
    case 'commit': {
      const payload = await text(process.stdin);
      const { commitHook } = await import('./commit.ts');
      await commitHook({ ledgerPath, env: process.env, token, event, payload, report });
      return 0;
    }
    default:
      return 0;
  }
}

/** All of stdin, unless whoever writes it does not end it. */
function readPayload(): Promise<string> {
  return new Promise((done) => {
    let read = '';
    const end = (): void => {
      clearTimeout(timer);
      process.stdin.destroy();
      done(read);
    };
    const timer = setTimeout(end, payloadMs);
    process.stdin.setEncoding('utf8').on('data', (chunk: string) => {
      read += chunk;
    });
    process.stdin.on('end', end).on('error', end);
  });
}

/** In a process of its own: nobody waits for it, and it survives the terminal. */
function commitAlone(ledgerPath: string, call: readonly string[], payload: string): Promise<void> {
  const [program = '', ...rest] = [process.execPath, ...process.execArgv, process.argv[1] ?? ''];
  const child = spawn(program, [...rest, ledgerPath, 'commit', ...call], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.unref();
  return new Promise((done) => {
    child.on('error', () => done());
    child.stdin.on('error', () => done());
    child.stdin.end(payload, done);
  });
}

void main(process.argv.slice(2))
  .catch(() => 0) // Rule 23; a commit has reported its own mistakes.
  .then((code) => process.exit(code));
