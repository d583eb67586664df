import { explainSmall } from '../agents/explain-small.ts';
import type { Route } from '../messages/claim.ts';
import type { WaitReason } from '../messages/wait-reason.ts';
import type { Spent } from './budgets.ts';
import { explainHold } from './find-hold.ts';
import { promptRestMs } from './prompt-patience.ts';
import { isPen, type Recipient, type RecipientView, type Ways } from './recipient.ts';

/** Everything that decides how the head of an inbox goes in now. */
export interface Situation {
  readonly view: RecipientView;
  readonly ways: Ways;
  /** Why the native route cannot be used; undefined when it can. */
  readonly nativeBlocked: WaitReason | undefined;
  /** The native route has been gone for so long that another one may be used (rule 53). */
  readonly isTakenOver: boolean;
  /** Why nothing can be typed into its terminal; undefined when something can. */
  readonly penBlocked: WaitReason | undefined;
  /** An earlier message is on its way into the conversation, on this route, and unproven. */
  readonly heldOn: Route | undefined;
  /** There is an urgent message in the inbox. */
  readonly isUrgent: boolean;
  /** The next turn would be one too many (rule 21), and nothing in the inbox is free of that. */
  readonly hold: Spent | undefined;
  /**
   * The first one, and the first urgent one, has a time to live. It counts here alone: a CLI's own
   * queue knows none (rule 5).
   */
  readonly timed: { readonly head: boolean; readonly urgent: boolean };
  /**
   * A prompt of the user waits (rule 51): for how much rest of the agent, in milliseconds, it still
   * waits for a way that keeps its standing.
   */
  readonly promptLeftMs?: number | undefined;
  /** Why the last one could not be pasted, although the status had nothing against it. */
  readonly pasteRefused?: WaitReason | undefined;
  /** Monotonic time until which a failing model API is left alone. */
  readonly backOffUntil: number;
  /** It fails by the records, although the status does not say so. */
  readonly isFailing: boolean;
  readonly now: number;
}

export type Decision =
  | {
      readonly route: 'native' | 'paste' | 'notice';
      readonly limit?: 'urgent' | 'probe';
      /** Prompts alone go in, as such; without it all of them go as notices. */
      readonly standing?: 'prompt';
    }
  /** Nothing now; `againInMs` when time alone may change that. */
  | { readonly wait: WaitReason; readonly againInMs?: number };

/** No key of a person within so long before a paste (rule 24). */
export const humanQuietMs = 3000;

/** A person who types on after Esc keeps messages back for so long at most. */
const longestAfterEscMs = 10_000;

/** Between two looks at a composer that a person has in a mode of its own. */
const modeMs = 1000;

/**
 * One table for all providers; what differs is their data (product: how a message gets in). While a
 * prompt waits it goes first, and nothing else wakes the agent (rule 51b). An urgent message that
 * joins a running turn is a notice (51c).
 */
export function pickRoute(situation: Situation): Decision {
  const decision = pickFor(situation);
  const { promptLeftMs, ways } = situation;
  if (promptLeftMs === undefined || !('route' in decision)) return decision;
  const { route, limit } = decision;
  if (route === 'notice' || limit === 'urgent') return decision;
  return ways.prompts?.includes(route) ? { ...decision, standing: 'prompt' } : decision;
}

function pickFor(situation: Situation): Decision {
  const { view, heldOn } = situation;
  // Rule 15, and a burst is one turn (rule 21): what follows waits until the agent has read what it
  // holds.
  if (heldOn !== undefined && !(situation.isUrgent && view.status === 'processing')) {
    return { wait: { code: 'earlier-on-its-way' } };
  }
  // Rule 24. Asked again by the clock: a change of mode alone is published to nobody.
  if (situation.ways.nativeInComposer && view.mode !== undefined) {
    return { wait: { code: 'composer-mode', mode: view.mode }, againInMs: modeMs };
  }
  switch (view.status) {
    case 'idle':
    case 'completed':
      return situation.isFailing ? probe(situation) : wake(situation);
    case 'error':
      return probe(situation);
    case 'processing':
      return joinBeside(situation) ?? join(situation);
    case 'waiting':
      // Rule 51c, also where the CLI has a queue of its own, and for urgent messages: nothing comes
      // between a person and what they are asked.
      return { wait: { code: 'question', detail: view.detail } };
    case 'starting':
      return { wait: { code: 'starting' } };
    case 'exited':
      return { wait: { code: 'exited' } };
    case 'unknown':
      // It may work, rest or ask: this way in is open in each of them, and needs no screen
      // (rule 44).
      if (isOpenAlways(situation)) {
        return situation.timed.head ? waitTimed('unknown') : wake(situation);
      }
      return { wait: small(view) ?? { code: 'status-unknown', detail: view.detail } };
  }
}

/** A failing API is left alone; then one message tries it. */
function probe(situation: Situation): Decision {
  const { view, backOffUntil, now } = situation;
  const left = backOffUntil - now;
  if (left > 0) {
    const isTold = view.status === 'error';
    const failed = { code: 'api-failed', detail: view.detail } as const;
    return { wait: isTold ? failed : { code: 'answer-broke-off' }, againInMs: left };
  }
  const decision = wake(situation);
  return 'route' in decision ? { ...decision, limit: 'probe' } : decision;
}

/** Into the running turn, or behind it, without interrupting it. */
function join(situation: Situation): Decision {
  const { ways, isUrgent, heldOn, timed } = situation;
  if (takesDuring(ways, 'processing') && isNativeOpen(situation)) {
    if (heldOn === undefined && !timed.head) return { route: 'native' };
    // Urgent messages may overtake what the agent holds, or what waits here; what is queued beside
    // them may not (rule 15).
    return isUrgent && !timed.urgent
      ? { route: 'native', limit: 'urgent' }
      : waitTimed('processing');
  }
  // Rule 22: a waiting hook interrupts for urgent messages alone; the stop hook carries the rest.
  if (isUrgent && ways.hasWaitingHook && isNativeOpen(situation)) {
    return { route: 'native', limit: 'urgent' };
  }
  const boundary = ways.routes.includes('turn-boundary') && situation.promptLeftMs === undefined;
  return { wait: { code: boundary ? 'works-until-turn-boundary' : 'works-until-rest' } };
}

/** Later ones wait with it: first offers keep their order (rule 15). */
function waitTimed(status: 'unknown' | 'processing'): Decision {
  return { wait: { code: 'timed', while: status } };
}

/**
 * An agent at rest begins a turn. A missing route is never replaced by one that cannot keep the
 * promise.
 */
function wake(situation: Situation): Decision {
  const { ways, nativeBlocked } = situation;
  // By the minute: the hour is one of wall time, which may be set.
  if (situation.hold) return { wait: explainHold(situation.hold), againInMs: 60_000 };
  const afterEsc = waitAfterEsc(situation);
  if (afterEsc) return afterEsc;
  const asPrompt = wakeByPrompt(situation);
  if (asPrompt) return asPrompt;
  if (ways.routes.includes('native')) {
    if (nativeBlocked === undefined) return { route: 'native' };
    // Rule 53. What cannot be pasted says what is broken, not what is in the way of a stopgap.
    return standIn(situation) ?? { wait: nativeBlocked };
  }
  if (!ways.routes.includes('paste')) return { wait: ways.lacksNative ?? { code: 'pull-only' } };
  return paste(situation);
}

/**
 * Rule 53. One line which says that mail waits is all that is pasted where messages themselves
 * would count as the user's words: the turn that it begins has hooks, and those carry them.
 */
function standIn(situation: Situation): Decision | undefined {
  const { ways, isTakenOver, penBlocked } = situation;
  if (!isTakenOver || ways.takesOver === undefined || penBlocked !== undefined) return undefined;
  const decision = paste(situation);
  return 'route' in decision && ways.takesOver === 'notice' ? { route: 'notice' } : decision;
}

/**
 * Where only a paste is a prompt (rule 51a). Undefined: it goes as a notice, because none waits, it
 * has waited long enough, or nothing can ever be pasted there.
 */
function wakeByPrompt(situation: Situation): Decision | undefined {
  const { view, ways, promptLeftMs, penBlocked } = situation;
  if (promptLeftMs === undefined || !pastesPrompts(ways) || penBlocked !== undefined) return;
  // However long it waits, nothing can be pasted there.
  if (view.noPaste !== undefined || view.tooSmall !== undefined) return;
  const besideMs = leftBeside(situation);
  if (besideMs !== undefined && besideMs <= 0) return undefined;
  const decision = besideMs === undefined ? paste(situation) : waitBeside(situation, besideMs);
  // What a person has made of the terminal is known only to who tries to paste (rule 45).
  const mayTry = promptLeftMs > 0 || situation.pasteRefused === undefined;
  if ('route' in decision && mayTry) return decision;
  if ('route' in decision || promptLeftMs <= 0) return undefined;
  const againInMs = Math.min(decision.againInMs ?? promptLeftMs, promptLeftMs);
  return { wait: decision.wait, againInMs };
}

/**
 * For how long a prompt still waits for sub-agents (rule 51a), each of which may ask for a
 * permission at any moment; undefined where none works. The end of one begins a turn: those that
 * work on after a minute of this rest may do so for an hour, and no further prompt waits for them.
 */
function leftBeside({ view, now }: Situation): number | undefined {
  return view.subAgents && promptRestMs - (now - view.subAgents.since);
}

function waitBeside({ view }: Situation, againInMs: number): Decision {
  return { wait: { code: 'sub-agents', count: view.subAgents?.count }, againInMs };
}

/**
 * Its turn is over, and it counts as working because sub-agents do: a prompt waits by the clock.
 */
function joinBeside(situation: Situation): Decision | undefined {
  const leftMs = leftBeside(situation);
  const { ways, promptLeftMs, isUrgent } = situation;
  if (leftMs === undefined || promptLeftMs === undefined || isUrgent) return undefined;
  if (!pastesPrompts(ways)) return undefined;
  if (leftMs > 0) return waitBeside(situation, leftMs);
  return isNativeOpen(situation) ? { route: 'native' } : undefined;
}

/** Whether a prompt can reach this agent as one, so that it need not take it itself. */
export function carriesPrompts({ ways, pen }: Pick<Recipient, 'ways' | 'pen'>): boolean {
  const { prompts = [], routes, pastes } = ways;
  if (pastes === 'notice') return false;
  return prompts.some((route) => routes.includes(route) && (route !== 'paste' || isPen(pen)));
}

/** A paste keeps the standing of a prompt, and the route that wakes it otherwise does not. */
function pastesPrompts({ routes, prompts = [] }: Ways): boolean {
  const usual = routes.find((route) => route === 'native' || route === 'paste');
  return usual === 'native' && !prompts.includes('native') && prompts.includes('paste');
}

function paste({ view, ways, penBlocked, now }: Situation): Decision {
  if (penBlocked !== undefined) return { wait: penBlocked };
  const sinceKey = now - (view.humanKeyAt ?? Number.NEGATIVE_INFINITY);
  if (sinceKey < humanQuietMs) {
    return { wait: { code: 'person-typing' }, againInMs: humanQuietMs - sinceKey };
  }
  switch (view.composer) {
    case 'empty':
    case 'blank':
      return { route: ways.pastes === 'message' ? 'paste' : 'notice' };
    case 'draft':
      return { wait: { code: 'draft' } };
    case 'hidden':
      return { wait: { code: 'composer-covered' } };
    case 'unknown':
      // Something was printed since the last look at its screen. If the next look finds all as it
      // was, nobody tells.
      return { wait: small(view) ?? { code: 'composer-unproven' }, againInMs: 500 };
  }
}

function small({ tooSmall }: RecipientView): WaitReason | undefined {
  return tooSmall && explainSmall(tooSmall);
}

function isOpenAlways(situation: Situation): boolean {
  const { ways } = situation;
  const isOpen = takesDuring(ways, 'processing') && takesDuring(ways, 'waiting');
  return isOpen && isNativeOpen(situation);
}

/**
 * A queue that loses messages, or puts them before a person, when that person presses Esc is given
 * none, urgent ones included (rules 12, 22).
 */
function takesDuring(ways: Ways, status: 'processing' | 'waiting'): boolean {
  return isKept(ways) && ways.nativeDuring.includes(status);
}

function isKept({ queueOnEsc = 'kept' }: Ways): boolean {
  return queueOnEsc === 'kept';
}

/**
 * What was kept back here would be the next thing that a second Esc hits, or stand in the way of
 * the prompt for which the person pressed the first one.
 */
function waitAfterEsc({ view, ways, now }: Situation): Decision | undefined {
  const { brokenOffAt, humanKeyAt = Number.NEGATIVE_INFINITY } = view;
  if (brokenOffAt === undefined || isKept(ways)) return undefined;
  const quietAt = Math.max(brokenOffAt, humanKeyAt) + humanQuietMs;
  const againInMs = Math.min(quietAt, brokenOffAt + longestAfterEscMs) - now;
  return againInMs > 0 ? { wait: { code: 'just-broken-off' }, againInMs } : undefined;
}

function isNativeOpen({ ways, nativeBlocked }: Situation): boolean {
  return ways.routes.includes('native') && nativeBlocked === undefined;
}
