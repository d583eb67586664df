import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { systemClock } from '../../src/shared/clock.ts';

/** The id tells what is asked for; the rest is whatever the server says. */
interface Answer {
  readonly id?: number;
  readonly result?: { readonly isError?: boolean } & Readonly<Record<string, unknown>>;
}

/** In MB. */
export interface Memory {
  /** What it would give back if it ended, and its share of what others map as well. */
  readonly pss: number;
  /** What no other process maps. */
  readonly own: number;
  readonly rss: number;
}

/** A client of an MCP server over stdio, as a CLI is one. */
export class StdioClient {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  readonly #ended: Promise<void>;
  #asked = 0;

  constructor(args: readonly string[], env: Readonly<Record<string, string>>) {
    const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child = child;
    this.#ended = new Promise((done) => child.once('close', () => done()));
    child.stdin.on('error', () => undefined);
    createInterface({ input: child.stdout }).on('line', (line) => {
      const answer = JSON.parse(line) as Answer;
      this.#waiting.get(answer.id ?? 0)?.(answer);
    });
  }

  async ask(method: string, params: object = {}): Promise<NonNullable<Answer['result']>> {
    const id = ++this.#asked;
    const answered = new Promise<Answer>((found) => this.#waiting.set(id, found));
    this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    const over = new AbortController();
    const late = systemClock.sleep(deadlineMs, over.signal).catch(() => undefined);
    const answer = await Promise.race([answered, late, this.#ended]).finally(() => over.abort());
    if (!answer) throw new Error(`no answer to ${method}`);
    if (!answer.result || answer.result.isError) {
      throw new Error(`${method}: ${JSON.stringify(answer)}`);
    }
    return answer.result;
  }

  /** What a CLI begins with. */
  initialize(): Promise<unknown> {
    const clientInfo = { name: 'bench', version: '1' };
    return this.ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  }

  get memory(): Memory {
    const text = readFileSync(`/proc/${this.#child.pid}/smaps_rollup`, 'utf8');
    const read = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) / 1024;
    const own = read('Private_Clean') + read('Private_Dirty');
    return { pss: read('Pss'), own, rss: read('Rss') };
  }

  async close(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }
}

const deadlineMs = 30_000;
