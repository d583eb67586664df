import type { DirectClient } from '../client/client.ts';
import { systemClock } from '../shared/clock.ts';
import { type Account, countAccount, isClean } from './account.ts';
import { killAndRecover } from './kills.ts';
import { type Happening, type Moment, type Recovery, victims } from './moment.ts';
import { Observer } from './observer.ts';
import { giveOrders } from './orders.ts';
import { Person } from './person.ts';
import { InVain, type Scene, until } from './scene.ts';
import { openStage, session } from './stage.ts';
import { team } from './team.ts';
import { describeTeam } from './team-member.ts';
import { TeamWatch } from './team-watch.ts';

export interface DemoOptions {
  /** About how long it takes; everything in it is paced by this. */
  readonly seconds: number;
  /** Leave the folder and everything that runs in it. */
  readonly keep: boolean;
  readonly signal: AbortSignal;
  watch(moment: Moment): void;
}

export interface DemoOutcome {
  readonly account: Account;
  readonly recoveries: readonly Recovery[];
  /** Asked by agents, shown as waiting, answered by a key in their terminals. */
  readonly questions: number;
  /** Copies that said that they may be second ones. */
  readonly repeats: number;
  /** Sends repeated under the same key, which made no second message. */
  readonly resent: number;
  /** What did not happen that should have, beyond the recoveries. */
  readonly problems: readonly string[];
  readonly seconds: number;
  /** Where it can be looked at, with `keep`. */
  readonly home?: string;
}

/** Everything is counted in beats, of which a run has about so many. */
const beatsPerRun = 60;
const beatMs = { least: 120, most: 800 } as const;
/** A team at work, between two kills. */
const pauseBeats = 3;
/** For what is under way when something has gone wrong already. */
const lastPatienceMs = 15_000;

/**
 * A lead and three others work in tmux, in a throw-away folder, while everything under them is killed with -9, one after the
 * other, and comes back. At the end nothing is killed any more until the inboxes are empty; what was accepted and did not
 * arrive by then is lost. However it ends, no process and no folder is left, unless it is asked to keep them.
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
  const stage = await openStage();
  let keep = false;
  const observer = new Observer(stage.home);
  const beat = paceOf(options.seconds);
  const person = new Person(stage, beat, show, fail);
  const watch = new TeamWatch(stage, (agents) => {
    observer.look();
    show(describeTeam(agents, observer));
    person.lookAfter(agents);
  });
  try {
    show({ what: 'opened', home: stage.home });
    const scene: Scene = { stage, watch, observer, stop, show };
    const story = await play(scene, person, beat, fail);
    const settled = await listSettled(stage.client);
    // Read last: a program writes down what it got before it answers for it.
    observer.look();
    const { sending, accepted, received } = observer;
    const account = countAccount({ sending, accepted, received, settled });
    keep = options.keep;
    return {
      account,
      ...story,
      problems: [...story.problems, ...observer.failures],
      questions: person.answered,
      repeats: observer.repeats,
      resent: observer.resent,
      seconds: Math.round(elapsedMs() / 100) / 10,
      ...(keep ? { home: stage.home } : {}),
    };
  } catch (error) {
    throw stop.aborted ? stop.reason : error;
  } finally {
    await within(farewellMs, Promise.all([watch.close(), person.close()]));
    observer.close();
    await stage.close({ keep });
  }
}

/** A daemon that hangs answers nobody; whoever presses Ctrl-C need not wait for that, since it is ended next. */
const farewellMs = 5000;

async function within(limitMs: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  const late = systemClock.sleep(limitMs, done.signal).catch(() => undefined);
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
  person: Person,
  beat: number,
  fail: (error: unknown) => void,
): Promise<Pick<DemoOutcome, 'recoveries' | 'problems'>> {
  const recoveries: Recovery[] = [];
  const problems: string[] = [];
  try {
    await begin(scene, person, beat, fail);
    for (const victim of victims) {
      await systemClock.sleep(pauseBeats * beat, scene.stop);
      const recovery = await killAndRecover(scene, victim);
      recoveries.push(recovery);
      scene.show({ what: 'recovered', recovery });
      if (recovery.outcome === 'failed') break;
    }
    await systemClock.sleep(pauseBeats * beat, scene.stop);
  } catch (error) {
    problems.push(explain(error));
  }
  const isSound = problems.length === 0 && recoveries.every(({ outcome }) => outcome !== 'failed');
  scene.show({ what: 'calm' });
  await comeToRest(scene, isSound ? undefined : lastPatienceMs).catch((error: unknown) => {
    problems.push(explain(error));
  });
  return { recoveries, problems };
}

async function begin(
  scene: Scene,
  person: Person,
  beat: number,
  fail: (error: unknown) => void,
): Promise<void> {
  const { stage, watch, show } = scene;
  await stage.launchTeam(beat);
  watch.start(fail);
  await until(scene, 'all four to be ready', () => team.every((name) => watch.isWatched(name)));
  show({ what: 'ready' });
  await until(scene, 'a question to be seen and answered', () => person.answered > 0);
}

/** What a sound product brings about, and this one did not; anything else is not the demo's to explain. */
function explain(error: unknown): string {
  if (error instanceof InVain) return error.message;
  throw error;
}

/**
 * An agent sends only while it holds a message, except the lead, and that one rests: when all of them rest and no inbox
 * holds anything, nothing can come any more. The ledger is asked when to stop, never what arrived.
 */
async function comeToRest(scene: Scene, patienceMs: number | undefined): Promise<void> {
  const { stage, observer } = scene;
  giveOrders(stage.home, { rest: true });
  const isQuiet = async (): Promise<boolean> => {
    if (!observer.isResting) return false;
    const agents = await stage.client.listAgents(session);
    return agents.every(({ inbox: { queued, claimed, injected, uncertain } }) => {
      return queued + claimed + injected + uncertain === 0;
    });
  };
  await until(scene, 'all inboxes to run empty', isQuiet, patienceMs);
}

function paceOf(seconds: number): number {
  const { least, most } = beatMs;
  return Math.min(most, Math.max(least, Math.round((seconds * 1000) / beatsPerRun)));
}

async function listSettled(client: DirectClient): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const name of team) {
    const inbox = await client.listInbox(name, { states: ['acked', 'seen'], max: 1e9 });
    for (const { id } of inbox.messages) ids.add(id);
  }
  return ids;
}
