import { readHealth } from '../client/socket/control.ts';
import { findDaemon } from '../client/socket/find-daemon.ts';
import { findFolders } from '../config/folders.ts';
import { systemClock } from '../shared/clock.ts';
import type { HoldPlace } from './journal.ts';
import type { Recovery, Victim } from './moment.ts';
import type { Life } from './observer.ts';
import { giveOrders } from './orders.ts';
import { InVain, type Scene, until, type Verdict } from './scene.ts';
import { team, workers } from './team.ts';
import { findControlClient, findServer } from './tmux-by-hand.ts';

/** Kills one part of a team at work with -9, and finds out whether, how and in how long it is whole again. */
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
  daemon: killDaemon,
  'control-client': killControlClient,
  agent: killAgent,
  'tmux-server': killServer,
};

/** Nobody starts another but by needing one: here it is whoever looks at the team. */
async function killDaemon(act: Act): Promise<string> {
  const { watch, stage } = act.scene;
  await act.until('somebody at work', () => watch.agents.some(isWorking));
  const running = () => findDaemon(findFolders(stage.env));
  const before = running()?.pid;
  const lives = act.lives();
  act.kill('the daemon', before);
  const looks = watch.looks;
  await act.until('another daemon', () => ![undefined, before].includes(running()?.pid));
  // The look that was under way may have been answered by the old one.
  await act.until('all four to be watched by it', () => {
    return watch.looks > looks + 1 && team.every((name) => watch.isWatched(name));
  });
  act.recovered();
  await act.confirmUntouched(lives);
  return `the next command started another (pid ${running()?.pid}), which found all four; none was touched`;
}

async function killControlClient(act: Act): Promise<string> {
  const { home, env } = act.scene.stage;
  const before = await findControlClient(home);
  const lives = act.lives();
  act.kill('the control client', before);
  await act.until('another control client', async () => {
    return ![undefined, before].includes(await findControlClient(home));
  });
  await act.until('the backend to be ready', async () => {
    return (await readHealth(env)).components.backend.state === 'ready';
  });
  act.recovered();
  await act.confirmUntouched(lives);
  return `the daemon opened another (pid ${await findControlClient(home)}); no terminal was touched`;
}

/** Exactly where the message is handed out and not read yet: nobody can know whether it was. */
async function killAgent(act: Act): Promise<string> {
  const [, name] = workers;
  const taken = await act.hold({ [name]: 'handed' });
  act.kill(`${name} in the middle of its drain`, taken[0]?.life.pid);
  await act.backAgain(taken);
  act.recovered();
  return `it was seen as exited and started again; ${describe(taken)}`;
}

/** Two have read and not answered; the third has sent and not been told, so it sends that again, under the same key (rule 33). */
async function killServer(act: Act): Promise<string> {
  const { watch, stage, observer } = act.scene;
  const [first, second, third] = workers;
  const taken = await act.hold({ [first]: 'received', [second]: 'received', [third]: 'sent' });
  const lives = act.lives();
  const { resent } = observer;
  act.kill('the tmux server, and with it every terminal', await findServer(stage.home));
  await act.until('all four to be started again', () => {
    return lives.every(({ name, life }) => (observer.life(name)?.count ?? 0) > life.count);
  });
  await act.backAgain(taken);
  await act.until('a send that was cut off to be made again, as the same message', () => {
    return observer.resent > resent;
  });
  await act.until('all four to be watched again', () => {
    return team.every((name) => watch.isWatched(name));
  });
  act.recovered();
  await act.confirmFollowed();
  return `all four were seen as exited and started again; ${describe(taken)}`;
}

/** One agent, its life, and what that life had in hand. */
interface Taken {
  readonly name: string;
  readonly life: Life;
  readonly ids: readonly string[];
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

  /** Waits until each of them stands at its place, with messages in hand. */
  async hold(places: Readonly<Record<string, HoldPlace>>): Promise<readonly Taken[]> {
    const { observer, stage } = this.scene;
    const lives = this.lives().filter(({ name }) => places[name] !== undefined);
    const hold = lives.map(({ name, life }) => [life.pid, places[name]]);
    giveOrders(stage.home, { hold: Object.fromEntries(hold) });
    await this.until('messages in hand', () => {
      return Object.entries(places).every(([name, at]) => observer.isHeld(name, at));
    });
    return lives.map(({ name, life }) => ({ name, life, ids: observer.inHand(name) }));
  }

  async backAgain(taken: readonly Taken[]): Promise<void> {
    const inHand = taken.flatMap(({ name, life, ids }) => ids.map((id) => ({ name, life, id })));
    await this.until('what was in hand to come again', async () => {
      for (const message of inHand) {
        const copy = await this.#findCopy(message);
        if (copy !== 'marked') return copy;
      }
      return true;
    });
  }

  async #findCopy({ name, life, id }: { name: string; life: Life; id: string }) {
    const { observer, stage } = this.scene;
    const { state } = await stage.client.show(id);
    // Read after the state: a program writes down what it got before it answers for it.
    observer.look();
    const copy = observer.cameAgain(name, id, life);
    if (copy === 'unmarked') return { never: 'a message came again without its mark' };
    if (copy === 'marked') return copy;
    return ['acked', 'seen'].includes(state)
      ? { never: `a message counts as ${state} that nobody had answered for` }
      : false;
  }

  lives(): readonly { readonly name: string; readonly life: Life }[] {
    return team.map((name) => {
      const life = this.scene.observer.life(name);
      if (!life) throw new InVain(`${name} has never started`);
      return { name, life };
    });
  }

  /** The same programs as before, and their statuses are no old ones. */
  async confirmUntouched(lives: ReturnType<Act['lives']>): Promise<void> {
    await this.confirmFollowed();
    const { observer } = this.scene;
    const touched = lives.filter(({ name, life }) => observer.life(name)?.pid !== life.pid);
    if (touched.length > 0) throw new InVain(`${touched[0]?.name} was not left alone`);
  }

  async confirmFollowed(): Promise<void> {
    const { watch } = this.scene;
    const { mark } = watch;
    await this.until('all four to be seen at work and at rest', () =>
      watch.hasFollowed(team, mark),
    );
  }

  conclude(outcome: Recovery['outcome'], how: string): Recovery {
    // Not right after the kill: whoever is held must not go on in the moment before its own end.
    giveOrders(this.scene.stage.home, { hold: {} });
    const now = systemClock.monotonicMs();
    const ms = (this.#recoveredAtMs ?? now) - (this.#killedAtMs ?? now);
    const pid = this.#pid === undefined ? {} : { pid: this.#pid };
    return { killed: this.#victim, ...pid, outcome, how, ms };
  }
}

function isWorking({ status }: { status: string }): boolean {
  return status === 'processing';
}

function describe(taken: readonly Taken[]): string {
  const count = taken.reduce((sum, { ids }) => sum + ids.length, 0);
  return count === 1
    ? 'the message it had in hand came again, marked'
    : `the ${count} messages in hand came again, marked`;
}
