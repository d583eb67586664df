import { isUser } from '../../src/agents/agent.ts';
import { describeWait } from '../../src/messages/describe-wait.ts';
import type { Message } from '../../src/messages/message.ts';
import type { WaitReason } from '../../src/messages/wait-reason.ts';
import type { FakeAgent } from './agent.ts';
import { isEnd, listOpen } from './calm.ts';
import { type Entry, isOurs } from './truth.ts';
import { connectionGone, notConnected } from './way-in.ts';
import type { World } from './world.ts';

/** How often it is looked; every bound below is longer by some of these. Milliseconds. */
const everyMs = 5000;
/** The last sentence of rule 42. */
const openMs = 180_000;
/**
 * Behind a message that the agent cannot come upon any more others wait for 5 s (rule 42), and a
 * look or two.
 */
const heldMs = 10_000;
/** A way in that needs no screen waits for none (rule 44). */
const blindMs = 20_000;
/**
 * What wakes it is put up again within 15 s, or the next route takes over within 30 s (rule 53);
 * and a look or two.
 */
const deafMs = 40_000;
/** No budget holds what the user wrote (rule 21). */
const withheldMs = 10_000;

interface Spans {
  /** Open at rest, nothing in the way. */
  openMs: number;
  /**
   * The same, held back by an earlier message that cannot be read any more; and by the claim of
   * which.
   */
  heldMs: number;
  heldBy: number;
  /** Queued while nobody can tell its status, though its way in needs none. */
  blindMs: number;
  /** Queued, because what wakes its agent is gone. */
  deafMs: number;
  /** Held by a budget that does not bind its sender. */
  withheldMs: number;
}

/**
 * Nothing unproven blocks an inbox for ever (rule 42): while a living agent rests, its model is
 * healthy, and no draft, dialog, mode or interruption of a person is in the way, and no budget is
 * spent, the time of every open message is counted.
 */
export function watchLiveness(world: World): void {
  const spans = new Map<string, Spans>();
  let known = world.daemon;
  const look = async (): Promise<void> => {
    // What a daemon waits for, the next one waits for anew.
    if (world.daemon !== known) spans.clear();
    known = world.daemon;
    for (const agent of world.agents) await sample(world, agent, spans);
    world.scheduler.after(world.always, everyMs, () => void look());
  };
  void look();
}

async function sample(world: World, agent: FakeAgent, spans: Map<string, Spans>): Promise<void> {
  if (agent.isRemoved) return;
  const wait = world.daemon?.delivery.waitsFor(agent.id);
  const isFree = !isObstructed(world, agent, wait);
  const open = await listOpen(world, agent.id);
  const newest = Math.max(0, ...open.map(({ token = 0 }) => token));
  for (const message of open) {
    const { id } = message;
    const span = spans.get(id) ?? {
      openMs: 0,
      heldMs: 0,
      heldBy: 0,
      blindMs: 0,
      deafMs: 0,
      withheldMs: 0,
    };
    spans.set(id, span);
    if (await isEnd(world, message)) continue;
    const isCounted = isFree && !isPersons(world, agent, message);
    count(span, 'openMs', isCounted, agent.isAtRest);
    if (span.heldBy !== newest) span.heldMs = 0;
    span.heldBy = newest;
    count(span, 'heldMs', isCounted && isHeldByNothing(agent, message, wait), true);
    count(span, 'blindMs', isBlind(world, agent, message, wait), true);
    const isQueuedAtRest = message.state === 'queued' && isFree && agent.isAtRest;
    count(span, 'deafMs', isQueuedAtRest && isGone(wait), true);
    if (message.state === 'queued') countCases(world, agent, message);
    const isWithheld = !isCountedByBudget(message) && wait?.code === 'budget-spent';
    count(span, 'withheldMs', message.state === 'queued' && agent.isAtRest && isWithheld, true);
    judge(world, agent, message, span, wait);
  }
}

/** What no sound engine waits for is counted where it might. */
function countCases({ truth, isTight }: World, agent: FakeAgent, message: Message): void {
  const { nativeDuring } = agent.kind.ways;
  const needsNone = nativeDuring.includes('processing') && nativeDuring.includes('waiting');
  if (isTight && agent.isAtRest && !isCountedByBudget(message))
    truth.judged.note('rule 21: free of a spent budget');
  if (needsNone && agent.monitor.shown === 'unknown')
    truth.judged.note('rule 44: an unknown status');
}

/** Work is no rest; but it is nobody's obstacle either. */
function count(
  span: Spans,
  what: Exclude<keyof Spans, 'heldBy'>,
  isCounted: boolean,
  isRunning: boolean,
): void {
  if (!isCounted) span[what] = 0;
  else if (isRunning) span[what] += everyMs;
}

function judge(
  { truth, account }: World,
  { kind, id }: FakeAgent,
  message: Message,
  span: Spans,
  wait: WaitReason | undefined,
): void {
  const { judged } = truth;
  if (span.openMs > 0) judged.note('rule 42: open at rest');
  if (span.heldMs > 0) judged.note('rule 42: behind another');
  if (span.deafMs > 0) judged.note('rule 53: deaf');
  account.reach(kind.name, 'open at rest, at most (s)', span.openMs / 1000);
  const where = `${message.id} (${message.state}) of ${id} (${kind.name}), which waits for ${wait ? describeWait(wait) : 'nothing'}`;
  const isLate = (ms: number, mostMs: number): boolean => ms > mostMs && ms <= mostMs + everyMs;
  if (isLate(span.openMs, openMs)) truth.violated(`rule 42: open for 3 minutes at rest: ${where}`);
  if (isLate(span.heldMs, heldMs)) truth.violated(`rule 42: held back by nothing: ${where}`);
  if (isLate(span.deafMs, deafMs)) truth.violated(`rule 53: deaf: ${where}`);
  if (isLate(span.withheldMs, withheldMs)) truth.violated(`rule 21: held by no right: ${where}`);
  if (isLate(span.blindMs, blindMs)) truth.violated(`rule 44: waits for a screen: ${where}`);
}

/** Something of a person, of the model or of the machine is in the way of all its messages. */
export function isObstructed(world: World, agent: FakeAgent, wait?: WaitReason): boolean {
  const { daemon, scheduler, faults } = world;
  if (!daemon || daemon.life.isOver || !agent.isAlive || agent.isEnded) return true;
  const { text, isInCopyMode, humanKeyAt = Number.NEGATIVE_INFINITY } = agent.composer;
  if (text !== '' || isInCopyMode || scheduler.monotonicMs - humanKeyAt < 10_000) return true;
  const { status, shown } = agent.monitor;
  if (status === 'waiting' || status === 'starting' || shown === 'unknown') return true;
  if (status === 'error' && faults) return true;
  return wait !== undefined && (isElsewhere(wait) || isUnconnected(wait));
}

function isElsewhere({ code }: WaitReason): boolean {
  return code === 'budget-spent' || code === 'api-failed' || code === 'answer-broke-off';
}

function isUnconnected(wait: WaitReason): boolean {
  return wait.code === 'native-blocked' && wait.why === notConnected;
}

function isGone(wait: WaitReason | undefined): boolean {
  if (wait?.code === 'native-blocked') return wait.why === connectionGone;
  return wait?.code.startsWith('hook-') ?? false;
}

/** Of all that is sent here only what the user wrote is free; news of ours is from signalbox. */
function isCountedByBudget({ from, isScript }: Message): boolean {
  return !isUser({ id: from }) || isScript;
}

/**
 * A person interrupted it: it stays in their conversation, or was taken out of it, until their next
 * turn (rules 9, 42c).
 */
function isPersons({ truth, scheduler }: World, agent: FakeAgent, { id }: Message): boolean {
  const last = truth.landings.findLast(
    ({ agent: to, entry }) => to === agent.id && entry.copies.some((copy) => copy.id === id),
  )?.entry;
  if (!last || !agent.talk.isCurrent(last)) return false;
  return last.removed === 'interrupted' || isWithPerson(last, scheduler.monotonicMs);
}

/** Until an answer is on record: nobody can know of it before. */
function isWithPerson({ isInterrupted, outputAt }: Entry, now: number): boolean {
  return isInterrupted && (outputAt ?? Number.POSITIVE_INFINITY) > now;
}

function isHeldByNothing(
  agent: FakeAgent,
  { state }: Message,
  wait: WaitReason | undefined,
): boolean {
  if (state !== 'queued' || wait?.code !== 'earlier-on-its-way') return false;
  const { queue, joining, underway, talk, monitor, stage } = agent;
  const { restSince = Number.POSITIVE_INFINITY } = monitor;
  if (stage.scheduler.monotonicMs - restSince < heldMs) return false;
  const isUnread = talk.listUnread().some(isOurs);
  return queue.length + joining.length + underway.size === 0 && !isUnread;
}

function isBlind(world: World, agent: FakeAgent, { state }: Message, wait?: WaitReason): boolean {
  const { nativeDuring } = agent.kind.ways;
  const needsNone = nativeDuring.includes('processing') && nativeDuring.includes('waiting');
  const isUp = world.daemon !== undefined && !world.daemon.life.isOver && agent.isAlive;
  // Where the way in itself is closed for a while, that is what it waits for.
  if (world.chosen.routesRefuse || agent.channel.isCut) return false;
  return needsNone && isUp && state === 'queued' && wait?.code === 'status-unknown';
}
