import { setTimeout as delay } from 'node:timers/promises';
import type { Child, Children, Ending, StartOptions, Window } from '../children.ts';
import type { Programs } from '../programs.ts';
import type { Random } from '../random.ts';
import type { Observer } from './observer.ts';
import type { Orders } from './orders.ts';
import { type WindowKind, windows } from './windows.ts';
import type { World } from './world.ts';

/** How one process of the run is to end. */
export type End =
  | { readonly by: 'window'; readonly window: Window }
  | { readonly by: 'kill'; readonly afterMs: number }
  | { readonly by: 'itself' };

/**
 * A command is nine tenths Node's own start. More of them at once would leave two cores no time for
 * the workers, who make the volume and the contention.
 */
const commandsAtOnce = 3;

type RunParts = Pick<
  Run,
  'random' | 'world' | 'observer' | 'orders' | 'children' | 'programs' | 'signal'
>;

/** What all parts of the load share. */
export class Run {
  readonly random: Random;
  readonly world: World;
  readonly observer: Observer;
  readonly orders: Orders;
  readonly children: Children;
  readonly programs: Programs;
  /** Somebody pressed Ctrl-C. */
  readonly signal: AbortSignal;
  /** While it lasts there are new orders and kills; then everybody comes to a quiet end. */
  isLoaded = true;
  /** Drains that were held past their lease. */
  late = 0;
  readonly #turn = new Map<string, number>();
  readonly #usualMs = new Map<string, number>();
  readonly #gate = new Gate(commandsAtOnce);

  constructor(parts: RunParts) {
    this.random = parts.random;
    this.world = parts.world;
    this.observer = parts.observer;
    this.orders = parts.orders;
    this.children = parts.children;
    this.programs = parts.programs;
    this.signal = parts.signal;
  }

  /**
   * Windows in turn, so that even a short run hits each. Otherwise killed at any moment of its
   * usual life, or spared.
   */
  chooseEnd(kind: WindowKind, role: string, shares: { window: number; kill: number }): End {
    if (!this.isLoaded) return { by: 'itself' };
    const window = this.#isHit(kind) ? shares.window : Math.max(shares.window, 0.7);
    const roll = this.random.next();
    if (roll > window + shares.kill) return { by: 'itself' };
    if (roll > window) return { by: 'kill', afterMs: this.#pickMoment(role) };
    const turn = this.#turn.get(role) ?? 0;
    this.#turn.set(role, turn + 1);
    const all = windows[kind];
    return { by: 'window', window: all[turn % all.length] ?? all[0] };
  }

  /** The program itself, with one command, to its end. */
  async runCli(
    args: readonly string[],
    options: Omit<StartOptions, 'kind'>,
    end: End = { by: 'itself' },
  ): Promise<Ending> {
    return (await this.startCli(args, options, end)).ended;
  }

  async startCli(
    args: readonly string[],
    options: Omit<StartOptions, 'kind'>,
    end: End,
  ): Promise<Child> {
    await this.#gate.enter();
    const child = this.#start([this.programs.cli, ...args], { ...options, kind: 'cli' }, end);
    void child.ended.then(({ how, startedAtMs, endedAtMs }) => {
      this.#gate.leave();
      if (how === 'ended') this.#noteLife(options.role, endedAtMs - startedAtMs);
    });
    return child;
  }

  startWorker(
    name: string,
    args: readonly string[],
    options: Omit<StartOptions, 'kind'>,
    end: End,
  ): Child {
    const command = [this.programs.worker(name), ...args];
    return this.#start(command, { ...options, kind: 'worker' }, end);
  }

  /**
   * One part of the load, again and again until the quiet; a part that throws is a complaint, not
   * the end.
   */
  async repeat(part: () => Promise<void>): Promise<void> {
    while (this.isLoaded) {
      try {
        await part();
      } catch (error) {
        this.observer.complain(
          `the harness failed: ${error instanceof Error ? error.stack : error}`,
        );
        await delay(100);
      }
    }
  }

  noteHit(end: End, { how }: Ending, kind: 'cli' | 'worker'): void {
    if (how === 'hit' && end.by === 'window') this.children.noteHit(end.window.name, kind);
  }

  pause(lowMs: number, highMs: number): Promise<void> {
    return delay(this.random.between(lowMs, highMs));
  }

  #start(command: readonly string[], options: StartOptions, end: End): Child {
    const window = end.by === 'window' ? { window: end.window } : {};
    const child = this.children.start(command, { ...options, ...window });
    if (end.by === 'kill') child.killAfter(end.afterMs);
    return child;
  }

  #isHit(kind: WindowKind): boolean {
    return windows[kind].every(({ name }) => this.children.countHits(name) > 0);
  }

  #pickMoment(role: string): number {
    // Most of a command's life is Node's own start: the later half is the one that matters.
    return this.random.between(0.4, 1.2) * (this.#usualMs.get(role) ?? 100);
  }

  #noteLife(role: string, ms: number): void {
    this.#usualMs.set(role, 0.8 * (this.#usualMs.get(role) ?? ms) + 0.2 * ms);
  }
}

/** Lets so many in at once, in the order they came. */
class Gate {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  async enter(): Promise<void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((enter) => this.#waiting.push(enter));
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}
