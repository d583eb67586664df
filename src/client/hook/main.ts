import { text } from 'node:stream/consumers';
import { ask } from './ask.ts';

/** It and the daemon's answer fit into the second that a hook may take (rule 23). */
const payloadMs = 250;

/**
 * What `hook-client.sh` does by Node: it asks the daemon where there is no curl, and writes to the
 * ledger when there is no daemon. `<ledger> ask <seconds> <path> <report>`,
 * `<ledger> commit <event> <report>`. Whatever goes wrong, the script goes on by the exit code, and
 * the agent hears nothing of it (rule 23).
 */
async function main(args: readonly string[]): Promise<number> {
  const [ledgerPath = '', verb, ...rest] = args;
  const { SIGNALBOX_SOCKET: socket, SIGNALBOX_TOKEN: token } = process.env;
  if (!socket || !token) return failed;
  switch (verb) {
    case 'ask': {
      const [seconds, path = '', report = ''] = rest;
      const body = await readPayload();
      return ask({ socket, token, path, body, ms: 1000 * Number(seconds), report });
    }
    case 'commit': {
      const [event = '', report] = rest;
      const payload = await text(process.stdin);
      const { commitHook } = await import('./commit.ts');
      await commitHook({ ledgerPath, env: process.env, token, event, payload, report });
      return 0;
    }
    default:
      return failed;
  }
}

const failed = 1;

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

void main(process.argv.slice(2))
  .catch(() => failed) // Rule 23; a commit has reported its own mistakes.
  .then((code) => process.exit(code));
