import type { Message } from '../../src/messages/message.ts';
import { openStates } from '../../src/messages/transitions.ts';
import type { FakeAgent } from './agent.ts';
import { finishTyping } from './people.ts';
import type { World } from './world.ts';

/** A small wake budget takes its time; milliseconds. */
const longestMs = 12 * 3_600_000;
/** Longer than anything may be open (rule 42). */
const unattendedMs = 240_000;
const tendEveryMs = 70_000;

/**
 * No more faults: everything must come to its end. First nobody is there, and whatever no person
 * interrupted ends by itself; then a person goes on now and then where somebody had interrupted,
 * for what an interruption left is theirs (rules 9, 12).
 */
export async function calm(world: World): Promise<void> {
  const { scheduler, always } = world;
  // Whatever the wall clock shows, times to live pass.
  scheduler.wallShiftMs = Math.max(scheduler.wallShiftMs, 1_800_000_000_000);
  const attendedAt = scheduler.monotonicMs + unattendedMs;
  const end = scheduler.monotonicMs + longestMs;
  let isOver = false;
  const tend = async (): Promise<void> => {
    isOver = !(await hasOpen(world));
    if (isOver) return;
    const isAttended = scheduler.monotonicMs >= attendedAt && world.chosen.peopleInterrupt;
    world.startDaemon();
    for (const agent of world.agents) {
      agent.composer.isInCopyMode = false;
      if (agent.isRemoved) continue;
      if (!agent.isAlive) await world.revive(agent);
      else if (!agent.composer.isEmpty) finishTyping(world, agent);
      else if (isAttended && (await world.needsPerson(agent))) agent.prompt();
    }
    scheduler.after(always, isAttended ? tendEveryMs : tendEveryMs / 4, () => void tend());
  };
  await tend();
  await scheduler.run(() => isOver || scheduler.monotonicMs >= end);
}

/** Rule 20: turns of agents whose inboxes are empty. */
export async function playQuietTurns(world: World): Promise<void> {
  const { scheduler, truth, chosen } = world;
  // Late proof is written down whenever it comes; what an interruption took out is queued at the
  // next boundary (rule 9).
  if (chosen.lateEvidence || chosen.peopleInterrupt) return;
  if ((await hasOpen(world)) || (await hasPointers(world)) || (await hasGivenUp(world))) return;
  // Which conversation is shown is learned, and written down, a little later.
  const start = scheduler.monotonicMs + 4000;
  await scheduler.run(() => scheduler.monotonicMs >= start);
  const before = world.writes;
  for (const agent of world.agents) agent.prompt();
  const end = scheduler.monotonicMs + 40_000;
  await scheduler.run(() => scheduler.monotonicMs >= end);
  const more = world.writes - before;
  const broken = more > 0 && `rule 20: ${more} writes for turns with nothing to say`;
  truth.judge('rule 20: quiet turns', broken);
}

async function hasOpen(world: World): Promise<boolean> {
  for (const agent of world.agents) {
    const { isRemoved, isAlive, isEnded, isAtRest } = agent;
    if (isRemoved ? !isEnded : !(isAlive && isAtRest)) return true;
    if (await hasMail(world, agent)) return true;
  }
  return false;
}

/** Something of its inbox has yet to come to its end. */
export async function hasMail(world: World, { id, isRemoved }: FakeAgent): Promise<boolean> {
  for (const message of await listOpen(world, id)) {
    if (isRemoved || !(await isEnd(world, message))) return true;
  }
  return false;
}

/** A pointer may be asked for at any time. */
async function hasPointers(world: World): Promise<boolean> {
  for (const { id } of world.agents) {
    for (const message of await listOpen(world, id)) {
      const attempts = await world.inner.read((tx) => tx.claims.listAttempts(message.id));
      if (attempts.some(({ isPointer }) => isPointer)) return true;
    }
  }
  return false;
}

/** What was given up may yet be proven, by the very turns that are played (rule 36). */
async function hasGivenUp({ inner }: World): Promise<boolean> {
  const dead = await inner.read((tx) => tx.messages.list({ states: ['dead'], limit: 1000 }));
  return dead.some(({ reason }) => reason === 'attempts_exhausted');
}

export function listOpen({ inner }: World, to: string): Promise<readonly Message[]> {
  return inner.read((tx) => tx.messages.list({ to, states: openStates, limit: 1000 }));
}

/**
 * `injected` is the end where no proof can be had, for a name whose body nobody asked for (rules 8,
 * 13), and for a notice whose turn failed: it stands in the conversation, and is no news that would
 * be asked for. What wakes nobody goes along with the next mail, whenever that comes.
 */
export async function isEnd({ inner, agents }: World, message: Message): Promise<boolean> {
  const { state, inContext, token, isQuiet, kind, to } = message;
  if (state === 'queued' && isQuiet) return true;
  if (state !== 'injected' || token === undefined) return false;
  if (inContext === true) return true;
  const agent = agents.find(({ id }) => id === to);
  if (kind === 'notice' && agent?.status === 'error') return true;
  const claim = await inner.read((tx) => tx.claims.find(token));
  // It is in the conversation, and nothing tells whether the model went on (rule 17).
  if (agent?.kind.ways.showsTurnEnds && claim?.route === 'pull') return true;
  return claim !== undefined && !claim.provable;
}
