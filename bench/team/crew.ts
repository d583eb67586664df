import { join } from 'node:path';
import type { TaskView } from '../../src/protocol/tasks.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import { pasteEnd } from '../delivery/input-watch.ts';
import { createWord } from '../delivery/letter.ts';
import type { Station } from '../terminals/station.ts';
import { type Gate, openWorkerPipes, workerProvider } from './worker-program.ts';

export interface Worker {
  readonly name: string;
  readonly gate: Gate;
}

/** What the parent's program read of one burst. */
export interface Burst {
  /** Turns that its program began. */
  readonly turns: number;
  /** Answers that never came, and those that came more than once. */
  readonly lost: number;
  readonly doubled: number;
  /** From the last worker's end to the last answer inside the parent, in milliseconds. */
  readonly ms: number;
  /** Answers in the first turn. */
  readonly first: number;
  /** Of the daemon, in seconds. */
  readonly cpu: number;
}

/** As long as a quick model thinks: what comes meanwhile goes into the next turn. */
export const turnMs = 300;
const quietMs = 1000;
const patienceMs = 60_000;

/** A parent and its workers, each a program in a terminal, and what they read and show. */
export class Crew {
  readonly workers: Worker[] = [];
  readonly #station: Station;
  readonly #statuses = new Map<string, { readonly status: string; readonly at: number }>();
  #parent = '';
  #gate: Gate | undefined;
  /** What the parent has read. */
  #text = '';
  #readAt = 0;
  #turns = 0;

  private constructor(station: Station) {
    this.#station = station;
    station.onStatus(({ agent, status, at }) => this.#statuses.set(agent, { status, at }));
  }

  static async launch(station: Station, count: number): Promise<Crew> {
    const crew = new Crew(station);
    const folder = join(station.home, 'control');
    const parent = openWorkerPipes(folder, 'parent');
    parent.input.onBytes((bytes) => crew.#take(bytes.toString('latin1')));
    crew.#gate = parent.gate;
    crew.#parent = await station.launchProgram('parent', workerProvider, parent.env);
    for (let i = 0; i < count; i++) {
      const { env, input, gate } = openWorkerPipes(folder, `w${i}`);
      input.onBytes(() => undefined);
      await station.launchProgram(`w${i}`, workerProvider, env, crew.#parent);
      crew.workers.push({ name: `w${i}`, gate });
    }
    return crew;
  }

  /** Gives each a task, waits until all are at it, and ends all their turns at once. */
  async play(workers: readonly Worker[]): Promise<Burst> {
    await this.#areAt('rest', [...this.workers.map(({ name }) => name), 'parent']);
    for (const { name } of workers) {
      const task = { to: name, task: 'Say the word.', cwd: '/', env: {} };
      await this.#station.ask<TaskView>('POST', '/tasks', task, this.#parent);
    }
    const names = workers.map(({ name }) => name);
    await this.#areAt('work', names);
    await this.#areAt('rest', ['parent']);
    this.#text = '';
    this.#turns = 0;
    const words = workers.map(createWord);
    const cpu = this.#station.cpuSeconds();
    for (const [i, { gate }] of workers.entries()) gate.release(words[i] ?? '');
    const endedAt = performance.now();
    const isIn = (word: string): boolean => this.#text.includes(word);
    let arrivedAt = 0;
    const hasAll = (): boolean => {
      if (!words.every(isIn)) return false;
      arrivedAt ||= this.#readAt;
      return true;
    };
    await waitUntil('all answers', hasAll, patienceMs).catch(() => undefined);
    // Also what would be said twice has come by then.
    await this.#areAt('rest', ['parent', ...names]);
    const [firstTurn = ''] = this.#text.split(pasteEnd);
    return {
      turns: this.#turns,
      lost: words.filter((word) => !isIn(word)).length,
      doubled: words.filter((word) => this.#text.split(word).length > 2).length,
      ms: arrivedAt === 0 ? Number.POSITIVE_INFINITY : arrivedAt - endedAt,
      first: words.filter((word) => firstTurn.includes(word)).length,
      cpu: this.#station.cpuSeconds() - cpu,
    };
  }

  #take(text: string): void {
    this.#text += text;
    this.#readAt = performance.now();
    const turns = this.#text.split(`${pasteEnd}\r`).length - 1;
    for (; this.#turns < turns; this.#turns++) {
      void systemClock.sleep(turnMs).then(() => this.#gate?.release('ok'));
    }
  }

  /** All of them, and for a while. */
  async #areAt(what: 'work' | 'rest', names: readonly string[]): Promise<void> {
    const isSo = (name: string): boolean => {
      const { status, at = 0 } = this.#statuses.get(name) ?? {};
      const isRight = what === 'work' ? status === 'processing' : restful.has(status);
      const since = Math.max(at, name === 'parent' ? this.#readAt : 0);
      return isRight && performance.now() - since > quietMs;
    };
    await waitUntil(`${what} of ${names.join(', ')}`, () => names.every(isSo), patienceMs);
  }
}

const restful = new Set<string | undefined>(['idle', 'completed']);
