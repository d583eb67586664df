import { findDaemon } from '../client/socket/find-daemon.ts';
import { findFolders } from '../config/folders.ts';
import type { Recovery } from '../protocol/demo.ts';
import { systemClock } from '../shared/clock.ts';
import type { Victim } from './moment.ts';
import { giveOrders } from './orders.ts';
import { placeOf, review, standIn, supervisor, victim as worker } from './plot.ts';
import { InVain, type Scene, until, type Verdict } from './scene.ts';

/** At the start: who is to be killed, or cut off, at work waits there until that has happened. */
export const holds = {
  [worker]: placeOf(1),
  // Its first task is one of the parts.
  [review.worker]: placeOf(2),
};

/**
 * Kills one part of a team at work with -9, and finds out whether, how and in how long it is whole
 * again.
 */
export async function killAndRecover(scene: Scene, victim: Victim): Promise<Recovery> {
  const act = new Act(scene, victim);
  try {
    return act.conclude('recovered', await acts[victim](act));
  } catch (error) {
    if (!(error instanceof InVain)) throw error;
    return act.conclude('failed', error.message);
  }
}

const acts: Readonly<Record<Victim, (act: Act) => Promise<string>>> = {
  agent: killWorker,
  daemon: killDaemon,
};

/**
 * It has read its task and owes the answer. Nobody helps: whoever waits for that answer is told,
 * and finds another.
 */
async function killWorker(act: Act): Promise<string> {
  const { observer, watch } = act.scene;
  await act.until(`${worker} at work`, () => observer.isHeld(worker, placeOf(1)));
  await act.pause();
  act.kill(`${worker}, at work`, observer.life(worker)?.pid);
  await act.until(`${worker} to be seen as exited`, () => watch.find(worker)?.status === 'exited');
  await act.until('the supervisor to be told', () => {
    return observer.hasReceived(supervisor, ({ from, text }) => from === worker && text === '');
  });
  await act.until('another to have its task', () => {
    return observer.hasReceived(standIn, ({ from }) => from === supervisor);
  });
  act.recovered();
  return `the supervisor was told that it has exited, and ${standIn} has its task`;
}

/**
 * In the middle of a handoff: nobody can know whether it was made. Nobody starts another daemon but
 * by needing one.
 */
async function killDaemon(act: Act): Promise<string> {
  const { observer, watch, stage } = act.scene;
  await act.until('the handoff', () => observer.isHeld(review.worker, placeOf(2)));
  await act.pause();
  const running = () => findDaemon(findFolders(stage.env));
  const before = running()?.pid;
  const living = watch.agents.filter(({ status }) => status !== 'exited').map(({ name }) => name);
  const lives = living.map((name) => observer.life(name)?.pid);
  act.kill('the daemon, in the middle of the handoff', before);
  const { looks } = watch;
  await act.until('another daemon', () => ![undefined, before].includes(running()?.pid));
  // The look that was under way may have been answered by the old one.
  await act.until('all to be watched by it', () => {
    return watch.looks > looks + 1 && living.every((name) => watch.isWatched(name));
  });
  await act.until('the handoff to be made again', () => observer.resent > 0);
  act.recovered();
  await act.pause();
  giveOrders(stage.home, {});
  await act.until('the answer of the handoff', () => {
    return observer.hasReceived(supervisor, ({ from, text }) => {
      return from === review.worker && text === act.answerOf(review.worker, 2);
    });
  });
  const touched = living.find((name, i) => observer.life(name)?.pid !== lives[i]);
  if (touched !== undefined) throw new InVain(`${touched} was not left alone`);
  return 'another was started and found all of them; the handoff, called again, was still one task';
}

/** One kill, from its preparation to its proof. */
class Act {
  readonly scene: Scene;
  readonly #victim: Victim;
  #pid: number | undefined;
  #killedAtMs: number | undefined;
  #recoveredAtMs: number | undefined;

  constructor(scene: Scene, victim: Victim) {
    this.scene = scene;
    this.#victim = victim;
  }

  until(what: string, isSo: () => Verdict | Promise<Verdict>): Promise<void> {
    return until(this.scene, what, isSo);
  }

  /** Long enough for a person to see what is about to be killed. */
  pause(): Promise<void> {
    return systemClock.sleep(2 * this.scene.beatMs, this.scene.stop);
  }

  kill(name: string, pid: number | undefined): void {
    if (pid === undefined) throw new InVain(`${name} could not be found`);
    this.#pid = pid;
    this.scene.show({ what: 'killed', victim: this.#victim, name, pid });
    this.#killedAtMs = systemClock.monotonicMs();
    process.kill(pid, 'SIGKILL');
  }

  /** The time of the recovery ends here; what follows only proves it. */
  recovered(): void {
    this.#recoveredAtMs = systemClock.monotonicMs();
  }

  /** The word of the nth answer that an agent's program wrote to the supervisor. */
  answerOf(name: string, n: number): string | undefined {
    const { sending } = this.scene.observer;
    return sending.filter(({ by, to }) => by === name && to === supervisor)[n - 1]?.text;
  }

  conclude(outcome: Recovery['outcome'], how: string): Recovery {
    const now = systemClock.monotonicMs();
    const ms = (this.#recoveredAtMs ?? now) - (this.#killedAtMs ?? now);
    const pid = this.#pid === undefined ? {} : { pid: this.#pid };
    return { killed: this.#victim, ...pid, outcome, how, ms };
  }
}
