import { connect } from 'node:net';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * The agent of all tests that need one: a real program in a real terminal
 * (src/demo/scripted-agent.ts), as built.
 */
export function scriptedAgent(...args: readonly string[]): readonly string[] {
  return [process.execPath, resolve('dist/scripted-agent.cjs'), ...args];
}

/** The environment variable that gives it a control socket. */
export const controlVariable = 'SCRIPTED_AGENT_CONTROL';

/** The way into one agent past its keyboard; the words are in src/demo/scripted/control.ts. */
export interface Control {
  /**
   * Resolves with `ok`, `refused`, `interrupted` or `failed: why` once the turn is over and its
   * last screen written.
   */
  tell(line: string): Promise<string>;
  /** Every read of its terminal from now on, as the bytes came. */
  watchInput(listener: (bytes: Buffer) => void): Promise<void>;
  close(): void;
}

/**
 * Waits until the agent listens. Answers come in the order in which turns end, so `now` has a
 * connection of its own.
 */
export async function openControl(path: string, deadlineMs = 120_000): Promise<Control> {
  const socket = await connectWithin(path, deadlineMs);
  const waiting: ((line: string) => void)[] = [];
  const listeners: ((bytes: Buffer) => void)[] = [];
  createInterface({ input: socket }).on('line', (line) => {
    const [, base64] = /^input (.*)$/.exec(line) ?? [];
    if (base64 === undefined) waiting.shift()?.(line);
    else for (const listen of listeners) listen(Buffer.from(base64, 'base64'));
  });
  // An agent that ends answers nobody any more.
  socket.on('close', () => {
    for (const answer of waiting.splice(0)) answer('gone');
  });
  const tell = (line: string): Promise<string> =>
    new Promise((answer) => {
      if (socket.destroyed) return answer('gone');
      waiting.push(answer);
      socket.write(`${line}\n`);
    });
  return {
    tell,
    watchInput: async (listener) => {
      listeners.push(listener);
      await tell('watch input');
    },
    close: () => socket.destroy(),
  };
}

async function connectWithin(path: string, deadlineMs: number) {
  for (let left = deadlineMs; ; left -= 10) {
    const socket = connect(path);
    const isOpen = await new Promise<boolean>((answer) => {
      socket.once('connect', () => answer(true));
      socket.on('error', () => answer(false));
    });
    if (isOpen) return socket;
    if (left <= 0) throw new Error(`nobody listens on ${path}`);
    await delay(10);
  }
}
