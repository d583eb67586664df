import { rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { TurnEnd } from './turn.ts';

export interface Controlled {
  submit(prompt: string): Promise<TurnEnd>;
  actNow(prompt: string): Promise<TurnEnd>;
  interrupt(): void;
  /** Called for every read from the terminal, with the bytes as they came. */
  watchInput(listener: (bytes: Buffer) => void): () => void;
}

/**
 * A second way in for tests, past the keyboard: a unix socket that takes lines.
 *
 *     <prompt>        as if typed; answered with `ok`, `refused`, `interrupted` or `failed: why`
 *                     once its turn is over and the screen that says so is written
 *     now <prompt>    the same beside the turn that runs, without one of its own
 *     interrupt       the Escape key
 *     watch input     from now on `input <base64>` for every read of the terminal, right after it
 */
export function listenForControl(
  path: string,
  agent: Controlled,
  onError: (error: Error) => void,
): () => void {
  // Left behind by a life that was killed.
  rmSync(path, { force: true });
  const server = createServer((socket) => serve(socket, agent));
  server.on('error', onError);
  server.listen(path);
  return () => {
    server.close();
    rmSync(path, { force: true });
  };
}

function serve(socket: Socket, agent: Controlled): void {
  const releases: (() => void)[] = [];
  const reply = (line: string): void => {
    if (socket.writable) socket.write(`${line}\n`);
  };
  socket.on('error', () => undefined);
  socket.on('close', () => {
    for (const release of releases) release();
  });
  createInterface({ input: socket }).on('line', (line) => {
    if (line === 'interrupt') {
      agent.interrupt();
      reply('ok');
    } else if (line === 'watch input') {
      releases.push(agent.watchInput((bytes) => reply(`input ${bytes.toString('base64')}`)));
      reply('ok');
    } else {
      const [, now, prompt = ''] = /^(now )?(.*)$/.exec(line) ?? [];
      void (now ? agent.actNow(prompt) : agent.submit(prompt)).then((end) => reply(write(end)));
    }
  });
}

function write(end: TurnEnd): string {
  if (end.outcome === 'failed') return `failed: ${end.why}`;
  return end.outcome === 'done' ? 'ok' : end.outcome;
}
