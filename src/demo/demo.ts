import type { DirectClient } from '../client/client.ts';
import type { DemoOutcome, Recovery } from '../protocol/demo.ts';
import { pause, systemClock } from '../shared/clock.ts';
import { Fault } from '../shared/fault.ts';
import { countAccount, isClean } from './account.ts';
import { holds, killAndRecover } from './kills.ts';
import { type Happening, type Moment, victims } from './moment.ts';
import { Observer } from './observer.ts';
import { giveOrders } from './orders.ts';
import { order, supervisor, user } from './plot.ts';
import { InVain, type Scene, until } from './scene.ts';
import { openStage, session } from './stage.ts';
import { describeTeam } from './team-member.ts';
import { TeamWatch } from './team-watch.ts';
import { UserDesk } from './user-desk.ts';

export interface DemoOptions {
  /** About how long it takes; everything in it is paced by this. */
  readonly seconds: number;
  /** Leave the folder and everything that runs in it. */
  readonly keep: boolean;
  readonly signal: AbortSignal;
  watch(moment: Moment): void;
}

/** Everything is counted in beats, of which a run has about so many. */
const beatsPerRun = 45;
const beatMs = { least: 60, most: 60_000 } as const;
/** For what is under way when something has gone wrong already. */
const lastPatienceMs = 15_000;

/**
 * A supervisor and three workers work in tmux, in a throw-away folder. A worker is killed with -9
 * at its task, and the daemon in the middle of a handoff; at the end nothing is killed any more
 * until the inboxes are empty, and what was accepted and did not arrive by then is lost. However it
 * ends, no process and no folder is left, unless it is asked to keep them.
 */
export async function runDemo(options: DemoOptions): Promise<DemoOutcome> {
  const startedAtMs = systemClock.monotonicMs();
  const elapsedMs = (): number => systemClock.monotonicMs() - startedAtMs;
  const broken = new AbortController();
  const stop = AbortSignal.any([options.signal, broken.signal]);
  const fail = (error: unknown): void => broken.abort(error);
  const show = (happening: Happening): void => {
    try {
      options.watch({ ...happening, atMs: elapsedMs() });
    } catch (error) {
      fail(error); // It could not be written; this is called from where nobody would catch it.
    }
  };
  const beat = paceOf(options.seconds);
  const stage = await openStage(beat);
  let keep = false;
  const observer = new Observer(stage.home, (agent, text) => show({ what: 'told', agent, text }));
  const desk = new UserDesk(stage.client, stage.home);
  const watch = new TeamWatch(stage, (agents) => {
    observer.look();
    show(describeTeam(agents, observer));
  });
  try {
    show({ what: 'opened', home: stage.home });
    const scene: Scene = { stage, watch, observer, stop, show, beatMs: beat };
    const story = await play(scene, desk, fail);
    const settled = await listSettled(stage.client);
    // Read last: a program writes down what it got before it answers for it.
    observer.look();
    const { sending, accepted, received } = observer;
    const account = countAccount({ sending, accepted, received, settled });
    keep = options.keep;
    return {
      account,
      ...story,
      problems: [...story.problems, ...observer.failures, ...listUnheard(observer, desk.answer)],
      ...(desk.answer === undefined ? {} : { answer: desk.answer }),
      repeats: observer.repeats,
      resent: observer.resent,
      seconds: Math.round(elapsedMs() / 100) / 10,
      ...(keep ? { home: stage.home } : {}),
    };
  } catch (error) {
    throw stop.aborted ? stop.reason : error;
  } finally {
    await within(farewellMs, watch.close());
    observer.close();
    await stage.close({ keep });
  }
}

/**
 * A daemon that hangs answers nobody; whoever presses Ctrl-C need not wait for that, since it is
 * ended next.
 */
const farewellMs = 5000;

async function within(limitMs: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  const late = pause(systemClock, limitMs, done.signal);
  await Promise.race([work, late]);
  done.abort();
}

/** Whether it showed what it is there to show. */
export function isProven({ account, recoveries, problems }: DemoOutcome): boolean {
  const recovered = recoveries.filter(({ outcome }) => outcome === 'recovered');
  return isClean(account) && recovered.length === victims.length && problems.length === 0;
}

/** The first thing that goes wrong ends the story; the account is taken all the same. */
async function play(
  scene: Scene,
  desk: UserDesk,
  fail: (error: unknown) => void,
): Promise<Pick<DemoOutcome, 'recoveries' | 'problems'>> {
  const recoveries: Recovery[] = [];
  const problems: string[] = [];
  try {
    await begin(scene, desk, fail);
    for (const victim of victims) {
      const recovery = await killAndRecover(scene, victim);
      recoveries.push(recovery);
      scene.show({ what: 'recovered', recovery });
      if (recovery.outcome === 'failed') break;
    }
  } catch (error) {
    problems.push(explain(error));
  }
  const isSound = problems.length === 0 && recoveries.every(({ outcome }) => outcome !== 'failed');
  giveOrders(scene.stage.home, {});
  await comeToRest(scene, desk, isSound ? undefined : lastPatienceMs).catch((error: unknown) => {
    problems.push(explain(error));
  });
  return { recoveries, problems };
}

async function begin(scene: Scene, desk: UserDesk, fail: (error: unknown) => void): Promise<void> {
  const { stage, watch, show } = scene;
  giveOrders(stage.home, holds);
  watch.start(fail);
  await desk.give(supervisor, order, { session, cwd: stage.cwd });
  show({ what: 'told', agent: user, text: `assign → ${supervisor}: ${order}` });
}

/**
 * What a sound product brings about, and this one did not; anything else is not the demo's to
 * explain.
 */
function explain(error: unknown): string {
  if (error instanceof InVain) return error.message;
  throw error;
}

/**
 * The user has the answer, which ends what the supervisor was asked for, and no inbox holds
 * anything: nothing can come any more. The ledger is asked when to stop, never what arrived.
 */
async function comeToRest(
  scene: Scene,
  desk: UserDesk,
  patienceMs: number | undefined,
): Promise<void> {
  const { stage, observer, show } = scene;
  const isAnswered = async (): Promise<boolean> => {
    await desk.look();
    return desk.answer !== undefined;
  };
  await until(scene, 'the answer to the user', () => calmly(isAnswered), patienceMs);
  observer.look();
  show({ what: 'told', agent: user, text: `← ${supervisor}: ${desk.answer}` });
  const isQuiet = async (): Promise<boolean> => {
    await desk.look();
    const agents = await stage.client.listAgents(session);
    return agents.every(({ status, inbox: { queued, claimed, injected, uncertain } }) => {
      return status !== 'processing' && queued + claimed + injected + uncertain === 0;
    });
  };
  await until(scene, 'all inboxes to run empty', () => calmly(isQuiet), patienceMs);
}

/** What could not be asked, because the daemon is being started anew say, is asked again. */
async function calmly(ask: () => Promise<boolean>): Promise<boolean> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}

/** The user's answer is made of the workers' words, which nobody else knew. */
function listUnheard({ sending }: Observer, answer = ''): readonly string[] {
  const answers = sending.filter(({ to }) => to === supervisor).filter(({ by }) => by !== user);
  return answers
    .filter(({ text }) => !answer.includes(text))
    .map(({ by }) => `the word of ${by} is not in the answer to the user`);
}

function paceOf(seconds: number): number {
  const { least, most } = beatMs;
  return Math.min(most, Math.max(least, Math.round((seconds * 1000) / beatsPerRun)));
}

async function listSettled(client: DirectClient): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  const agents = await client.listAgents(session);
  for (const name of [undefined, ...agents.map((agent) => agent.name)]) {
    const inbox = await client.listInbox(name, { states: ['acked', 'seen'], max: 1e9 });
    for (const { id, short = id } of inbox.messages) ids.add(short);
  }
  return ids;
}
