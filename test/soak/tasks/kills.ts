import { setTimeout as delay } from 'node:timers/promises';
import { findFamily, isAlive, signalProcess } from '../../lab/processes.ts';
import { waitUntil } from '../../support/wait-until.ts';
import type { Crew } from './crew.ts';

const everyMs = 70_000;
/**
 * A restart of the daemon may stand in the way of a command, and a loaded machine takes long for a
 * first screen.
 */
const patienceMs = 120_000;
const mostTries = 10;

/**
 * Kills one worker after the other with -9, in the middle of whatever it does, and restarts it,
 * until it is ended.
 */
export class Kills {
  readonly #crew: Crew;
  readonly #ending = new AbortController();
  readonly #work: Promise<void>;
  killed = 0;

  constructor(crew: Crew) {
    this.#crew = crew;
    this.#work = this.#go();
    // Its failure is told by `end`.
    this.#work.catch(() => undefined);
  }

  /** Waits for one that is under way: afterwards all workers live. */
  async end(): Promise<void> {
    this.#ending.abort();
    await this.#work;
  }

  async #go(): Promise<void> {
    const { signal } = this.#ending;
    const { workers } = this.#crew;
    for (let n = 0; ; n++) {
      await delay(everyMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await this.#kill(workers[n % workers.length] ?? '');
      this.killed++;
    }
  }

  async #kill(name: string): Promise<void> {
    const found = await this.#is(name, () => true);
    const family = findFamily(undefined, `SIGNALBOX_AGENT=${found}`);
    for (const one of family) signalProcess(one, 'SIGKILL');
    await waitUntil(`the end of ${name}`, () => family.every((one) => !isAlive(one)));
    await this.#is(name, (status) => status === 'exited');
    // A daemon that is stopped in this moment does not restart it: only the list says whether it
    // was done.
    for (let tries = 1; ; tries++) {
      const failure = await this.#crew.restart(name).then(
        () => undefined,
        (error: unknown) => error,
      );
      const all = await this.#crew.list().catch(() => []);
      if (all.some((one) => one.name === name && one.status !== 'exited')) return;
      if (tries === mostTries) throw failure;
    }
  }

  /** The agent's id, as soon as its status is like this. */
  async #is(name: string, isLike: (status: string) => boolean): Promise<string> {
    let id = '';
    const look = async (): Promise<boolean> => {
      const all = await this.#crew.list().catch(() => []);
      const agent = all.find((one) => one.name === name && isLike(one.status));
      id = agent?.id ?? '';
      return agent !== undefined;
    };
    await waitUntil(`${name} in the list`, look, patienceMs);
    return id;
  }
}
