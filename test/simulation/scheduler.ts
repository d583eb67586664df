import { Random } from '../torture/random.ts';

/**
 * Whatever can be dropped at any step: a daemon, a CLI's process, a hook's client. Nothing of it
 * runs once it is over.
 */
export class Life {
  #isOver = false;
  #ends: (() => void)[] = [];

  get isOver(): boolean {
    return this.#isOver;
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const ends = this.#ends;
    this.#ends = [];
    for (const end of ends) end();
  }

  onEnd(run: () => void): void {
    if (this.#isOver) run();
    else this.#ends.push(run);
  }

  /** Ends with this one, or before it. */
  child(): Life {
    const child = new Life();
    this.onEnd(() => child.end());
    return child;
  }
}

interface Task {
  readonly life: Life;
  readonly since: number;
  readonly run: () => void;
}

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly life: Life;
  run: (() => void) | undefined;
}

/**
 * A step that is ready is never kept longer than this: what must be late is late on purpose.
 * Milliseconds.
 */
const longestStallMs = 300;

/**
 * One seed, one run: the virtual clock, and the choice of what goes on next among all that could.
 * Every await of the engine that touches the world outside ends at a gate of a life, and a life
 * that is over passes no gate any more.
 */
export class Scheduler {
  readonly random: Random;
  monotonicMs = 5_000_000;
  wallShiftMs = 1_800_000_000_000;
  steps = 0;
  /** Called between steps; may end lives. */
  between: () => void = () => undefined;
  #ready: Task[] = [];
  readonly #timers: Timer[] = [];
  #order = 0;

  constructor(seed: number) {
    this.random = new Random(seed);
  }

  get now(): number {
    return this.monotonicMs + this.wallShiftMs;
  }

  /** Resolves at some later step, if its life lasts. */
  gate(life: Life): Promise<void> {
    return new Promise((run) => {
      if (!life.isOver) this.#ready.push({ life, since: this.monotonicMs, run });
    });
  }

  /** The same, at times only: where a crash more or less makes no difference, speed does. */
  async maybe(life: Life, share: number): Promise<void> {
    if (life.isOver || this.random.chance(share)) await this.gate(life);
  }

  after(life: Life, ms: number, run: () => void): () => void {
    const timer: Timer = { at: this.monotonicMs + ms, order: this.#order++, life, run };
    push(this.#timers, timer);
    return () => {
      timer.run = undefined;
    };
  }

  sleep(life: Life, ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (life.isOver) return;
      const aborted = (): void => {
        cancel();
        if (!life.isOver) reject(new Error('aborted'));
      };
      if (signal?.aborted) return reject(new Error('aborted'));
      const cancel = this.after(life, ms, () => {
        signal?.removeEventListener('abort', aborted);
        resolve();
      });
      signal?.addEventListener('abort', aborted, { once: true });
    });
  }

  /** Until `isDone`, or nothing is left to happen. */
  async run(isDone: () => boolean): Promise<void> {
    while (!isDone()) {
      const run = this.#take();
      if (!run) return;
      run();
      this.steps++;
      await drained();
      this.between();
    }
  }

  #take(): (() => void) | undefined {
    const timer = this.#nextTimer();
    const oldest = this.#ready[0];
    if (!oldest) return timer && this.#fire();
    const isLate = timer !== undefined && timer.at - oldest.since > longestStallMs;
    if (timer && !isLate && this.random.chance(0.15)) return this.#fire();
    const index = isLate ? 0 : Math.floor(this.random.next() * this.#ready.length);
    const [task] = this.#ready.splice(index, 1);
    if (!task || task.life.isOver) return this.#take();
    return task.run;
  }

  #nextTimer(): Timer | undefined {
    for (;;) {
      const timer = this.#timers[0];
      if (!timer || (timer.run && !timer.life.isOver)) return timer;
      pop(this.#timers);
    }
  }

  #fire(): (() => void) | undefined {
    const timer = pop(this.#timers);
    if (!timer) return undefined;
    this.monotonicMs = Math.max(this.monotonicMs, timer.at);
    return timer.run;
  }
}

/** All that follows from one step without a gate has happened. */
function drained(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

function isBefore(a: Timer, b: Timer): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

function push(heap: Timer[], timer: Timer): void {
  let i = heap.push(timer) - 1;
  while (i > 0) {
    const up = (i - 1) >> 1;
    const parent = heap[up] as Timer;
    if (!isBefore(timer, parent)) break;
    heap[i] = parent;
    i = up;
  }
  heap[i] = timer;
}

function pop(heap: Timer[]): Timer | undefined {
  const top = heap[0];
  const last = heap.pop();
  if (!last || heap.length === 0) return top;
  let i = 0;
  for (;;) {
    let down = 2 * i + 1;
    if (down >= heap.length) break;
    const right = heap[down + 1];
    if (right && isBefore(right, heap[down] as Timer)) down++;
    const child = heap[down] as Timer;
    if (!isBefore(child, last)) break;
    heap[i] = child;
    i = down;
  }
  heap[i] = last;
  return top;
}
