import { type ChildProcess, spawn } from 'node:child_process';
import { systemClock } from '../../src/shared/clock.ts';

/**
 * A place in the program at which a child kills itself (shared/fail-point.ts), and what the report
 * calls it.
 */
export interface Window {
  readonly name: string;
  readonly place: string;
}

export interface StartOptions {
  /** What it is, for the count of kills. */
  readonly role: string;
  readonly kind: 'cli' | 'worker';
  readonly env?: Readonly<Record<string, string>>;
  /** All of its standard input; without it the input stays open. */
  readonly input?: string;
  readonly window?: Window | undefined;
  /** Gets the output line by line, each whole; otherwise the ending has all of it. */
  readonly onLine?: (line: string) => void;
  /** A file descriptor instead of our pipe. */
  readonly stdout?: number;
}

export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /**
   * `killed`: by us, at random. `hit`: by itself, in its window. `ended`: it came to its own end.
   */
  readonly how: 'killed' | 'hit' | 'ended';
}

/** No command takes this long: who does, hangs. */
const hangsAfterMs = 120_000;

/** One process of the run. What we read from its pipe is what the world got from it. */
export class Child {
  readonly number: number;
  readonly ended: Promise<Ending>;
  readonly process: ChildProcess;
  #killed = false;

  constructor(number: number, command: readonly string[], options: StartOptions, env: Env) {
    this.number = number;
    const startedAtMs = systemClock.monotonicMs();
    this.process = spawn(process.execPath, command, {
      env,
      stdio: ['pipe', options.stdout ?? 'pipe', 'pipe'],
      // Without the terminal of whoever runs it: what it sends is a script's.
      detached: true,
    });
    this.process.stdin?.on('error', () => undefined); // It may die before it has read everything.
    if (options.input !== undefined) this.process.stdin?.end(options.input);
    const stdout = collect(this.process.stdout, options.onLine);
    const stderr = collect(this.process.stderr, undefined);
    const watchdog = setTimeout(() => this.process.kill('SIGABRT'), hangsAfterMs);
    if (options.kind === 'worker') clearTimeout(watchdog);
    this.ended = new Promise((done, fail) => {
      this.process.once('error', fail);
      this.process.once('close', (code, signal) => {
        clearTimeout(watchdog);
        const slain = signal === 'SIGKILL';
        const how = !slain ? 'ended' : this.#killed ? 'killed' : options.window ? 'hit' : 'ended';
        const endedAtMs = systemClock.monotonicMs();
        done({
          code,
          signal,
          stdout: stdout(),
          stderr: stderr(),
          startedAtMs,
          endedAtMs,
          how,
        });
      });
    });
  }

  kill(): void {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    this.#killed = true;
    this.process.kill('SIGKILL');
  }

  killAfter(ms: number): void {
    const timer = setTimeout(() => this.kill(), ms);
    void this.ended.then(() => clearTimeout(timer));
  }

  write(line: string): void {
    this.process.stdin?.write(`${line}\n`);
  }

  closeInput(): void {
    this.process.stdin?.end();
  }
}

type Env = Readonly<Record<string, string | undefined>>;

/** All processes of a run: who lives, who was killed, and where. */
export class Children {
  readonly killsAtRandom = new Map<string, number>();
  readonly hits = new Map<string, { cli: number; worker: number }>();
  readonly #living = new Set<Child>();
  readonly #env: Env;
  #started = 0;

  /**
   * Every window that the run must hit is named beforehand, so that one that is never hit shows
   * as 0.
   */
  constructor(home: string, windows: readonly Window[]) {
    this.#env = { ...cleanEnvironment(), SIGNALBOX_HOME: home };
    for (const { name } of windows) this.hits.set(name, { cli: 0, worker: 0 });
  }

  get started(): number {
    return this.#started;
  }

  start(command: readonly string[], options: StartOptions): Child {
    const plan = options.window ? { SIGNALBOX_FAILPOINTS: `${options.window.place}=kill` } : {};
    const env = { ...this.#env, ...options.env, ...plan };
    const child = new Child(++this.#started, command, options, env);
    this.#living.add(child);
    void child.ended
      .catch(() => undefined)
      .then((ending) => {
        this.#living.delete(child);
        if (ending?.how === 'killed') increment(this.killsAtRandom, options.role);
      });
    return child;
  }

  /** Whoever started the child says so: a window is hit only when something was at stake in it. */
  noteHit(window: string, kind: 'cli' | 'worker'): void {
    const counted = this.hits.get(window) ?? { cli: 0, worker: 0 };
    counted[kind]++;
    this.hits.set(window, counted);
  }

  countHits(window: string): number {
    const { cli, worker } = this.hits.get(window) ?? { cli: 0, worker: 0 };
    return cli + worker;
  }

  everyWindowWasHit(): boolean {
    return [...this.hits.keys()].every((name) => this.countHits(name) > 0);
  }

  /** Nobody is left behind, however the run ends. */
  async killAll(): Promise<void> {
    const left = [...this.#living];
    for (const child of left) child.kill();
    await Promise.allSettled(left.map((child) => child.ended));
  }
}

/**
 * A person's own settings must not reach the run; the mark of a test run must, so that a test can
 * look for leftovers.
 */
function cleanEnvironment(): Env {
  const kept = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('SIGNALBOX_') || name === 'SIGNALBOX_TEST_RUN',
  );
  return Object.fromEntries(kept);
}

/**
 * Lines are cut at the byte, so that no character is split; what follows the last newline never
 * arrived whole.
 */
function collect(
  stream: NodeJS.ReadableStream | null,
  onLine: ((line: string) => void) | undefined,
): () => string {
  let chunks: Buffer[] = [];
  stream?.on('data', (chunk: Buffer) => {
    if (!onLine) {
      chunks.push(chunk);
      return;
    }
    let rest = chunk;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      chunks.push(rest.subarray(0, end));
      onLine(Buffer.concat(chunks).toString());
      chunks = [];
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) chunks.push(rest);
  });
  return () => Buffer.concat(chunks).toString();
}

function increment(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
