import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import {
  type FoundProcess,
  isAlive,
  readProcess,
  signalProcess,
} from '../../../test/lab/processes.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';

export type Variables = Readonly<Record<string, string>>;

/** CAO itself gives up after this many seconds on whatever it starts. */
const answerMs = 180_000;

/**
 * `cao-server` in the environment that it gets here, on a port of its own; nothing of the reader's.
 */
export class CaoServer {
  readonly port: number;
  readonly #program: string;
  readonly #env: Variables;
  readonly #cwd: string;
  readonly #log: string;
  #child: ChildProcess | undefined;

  constructor(place: {
    readonly bin: string;
    readonly port: number;
    readonly env: Variables;
    readonly cwd: string;
    readonly log: string;
  }) {
    this.port = place.port;
    this.#program = join(place.bin, 'cao-server');
    this.#env = place.env;
    this.#cwd = place.cwd;
    this.#log = place.log;
  }

  get process(): FoundProcess {
    const found = readProcess(this.#child?.pid ?? 0);
    if (!found) throw new Error('cao-server does not run');
    return found;
  }

  async start(): Promise<void> {
    const child = spawn(this.#program, ['--port', String(this.port)], {
      cwd: this.#cwd,
      env: this.#env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    const log = createWriteStream(this.#log, { flags: 'a' });
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    const isUp = async (): Promise<boolean> => {
      if (child.exitCode !== null) throw new Error(`cao-server ended: see ${this.#log}`);
      return await this.ask('GET', '/health').then(
        () => true,
        () => false,
      );
    };
    await waitUntil('cao-server', isUp, 60_000);
  }

  /** One request; the parameters go into the query string, as its own clients send them. */
  async ask<T>(method: string, path: string, parameters: Variables = {}): Promise<T> {
    const query = new URLSearchParams(parameters).toString();
    const url = `http://127.0.0.1:${this.port}${path}${query === '' ? '' : `?${query}`}`;
    const answer = await fetch(url, { method, signal: AbortSignal.timeout(answerMs) });
    const text = await answer.text();
    if (!answer.ok)
      throw new Error(`CAO: ${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
    return JSON.parse(text) as T;
  }

  /** SIGKILL to the server alone: terminals and CLIs live on. */
  async kill(): Promise<void> {
    const found = this.process;
    signalProcess(found, 'SIGKILL');
    await waitUntil('the end of cao-server', () => !isAlive(found));
  }
}

/** One that is free now. In a network of its own nobody takes it meanwhile. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === 'object' && address ? address.port : 0;
}
