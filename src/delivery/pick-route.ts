import type { Route } from '../messages/claim.ts';
import type { Spent } from './budgets.ts';
import { describeHold } from './find-hold.ts';
import type { RecipientView, Ways } from './recipient.ts';

/** Everything that decides how the head of an inbox goes in now. */
export interface Situation {
  readonly view: RecipientView;
  readonly ways: Ways;
  /** Why the native route cannot be used; undefined when it can. */
  readonly nativeBlocked: string | undefined;
  /** The native route has been gone for so long that another one may be used (rule 53). */
  readonly isTakenOver: boolean;
  /** Why nothing can be typed into its terminal; undefined when something can. */
  readonly penBlocked: string | undefined;
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
  /** Monotonic time until which a failing model API is left alone. */
  readonly backOffUntil: number;
  /** It fails by the records, although the status does not say so. */
  readonly isFailing: boolean;
  readonly now: number;
}

export type Decision =
  | { readonly route: 'native' | 'paste' | 'notice'; readonly limit?: 'urgent' | 'probe' }
  /** Nothing now; `againInMs` when time alone may change that. */
  | { readonly wait: string; readonly againInMs?: number };

/** No key of a person within so long before a paste (rule 24). */
export const humanQuietMs = 3000;

/** Between two looks at a composer that a person has in a mode of its own. */
const modeMs = 1000;

/** One table for all providers; what differs is their data (product: how a message gets in). */
export function pickRoute(situation: Situation): Decision {
  const { view, heldOn } = situation;
  // Rule 15, and a burst is one turn (rule 21): what follows waits until the agent has read what it
  // holds.
  if (heldOn !== undefined && !(situation.isUrgent && view.status === 'processing')) {
    return { wait: 'an earlier message is on its way in' };
  }
  // Rule 24. Asked again by the clock: a change of mode alone is published to nobody.
  if (situation.ways.nativeInComposer && view.mode !== undefined) {
    const wait = `a person is in its ${view.mode} mode, where a message would be taken for something else`;
    return { wait, againInMs: modeMs };
  }
  switch (view.status) {
    case 'idle':
    case 'completed':
      return situation.isFailing ? probe(situation) : wake(situation);
    case 'error':
      return probe(situation);
    case 'processing':
      return join(situation);
    case 'waiting': {
      if (situation.ways.nativeDuring.includes('waiting') && isNativeOpen(situation)) {
        return situation.timed.head ? waitTimed('waits for a person') : { route: 'native' };
      }
      return { wait: `it waits for a person (${view.detail ?? 'dialog'}); nothing is typed` };
    }
    case 'starting':
      return { wait: 'it is starting' };
    case 'exited':
      return { wait: 'it has exited; the message is held for its next start' };
    case 'unknown':
      // It may work, rest or ask: this way in is open in each of them, and needs no screen
      // (rule 44).
      if (isOpenAlways(situation)) {
        return situation.timed.head ? waitTimed('may be at work') : wake(situation);
      }
      return { wait: `its status is unknown (${view.detail ?? 'no rule matches its screen'})` };
  }
}

/** A failing API is left alone; then one message tries it. */
function probe(situation: Situation): Decision {
  const { view, backOffUntil, now } = situation;
  const left = backOffUntil - now;
  const why = view.status === 'error' ? (view.detail ?? '') : 'an answer broke off';
  if (left > 0) return { wait: `the model's API failed: ${why}`, againInMs: left };
  const decision = wake(situation);
  return 'route' in decision ? { ...decision, limit: 'probe' } : decision;
}

/** Into the running turn, or behind it, without interrupting it. */
function join(situation: Situation): Decision {
  const { ways, isUrgent, heldOn, timed } = situation;
  if (ways.nativeDuring.includes('processing') && isNativeOpen(situation)) {
    if (heldOn === undefined && !timed.head) return { route: 'native' };
    // Urgent messages may overtake what the agent holds, or what waits here; what is queued beside
    // them may not (rule 15).
    return isUrgent && !timed.urgent ? { route: 'native', limit: 'urgent' } : waitTimed('works');
  }
  // Rule 22: a waiting hook interrupts for urgent messages alone; the stop hook carries the rest.
  if (isUrgent && ways.hasWaitingHook && isNativeOpen(situation)) {
    return { route: 'native', limit: 'urgent' };
  }
  const boundary = ways.routes.includes('turn-boundary');
  return {
    wait: boundary ? 'it works; at its next turn boundary' : 'it works; when it is at rest',
  };
}

/** Later ones wait with it: first offers keep their order (rule 15). */
function waitTimed(does: string): Decision {
  return {
    wait: `it ${does}; the next message has a time to live, which does not count in the CLI's own queue, so it is kept here until the agent rests, and later ones behind it`,
  };
}

/**
 * An agent at rest begins a turn. A missing route is never replaced by one that cannot keep the
 * promise.
 */
function wake(situation: Situation): Decision {
  const { ways, nativeBlocked } = situation;
  // By the minute: the hour is one of wall time, which may be set.
  if (situation.hold) return { wait: describeHold(situation.hold), againInMs: 60_000 };
  if (ways.routes.includes('native')) {
    if (nativeBlocked === undefined) return { route: 'native' };
    // Rule 53. What cannot be pasted says what is broken, not what is in the way of a stopgap.
    const stopgap = situation.isTakenOver && ways.takesOver ? paste(situation) : undefined;
    return stopgap && situation.penBlocked === undefined ? stopgap : { wait: nativeBlocked };
  }
  if (!ways.routes.includes('paste'))
    return { wait: 'it has no way in but its own inbox commands' };
  return paste(situation);
}

function paste({ view, ways, penBlocked, now }: Situation): Decision {
  if (penBlocked !== undefined) return { wait: penBlocked };
  const sinceKey = now - (view.humanKeyAt ?? Number.NEGATIVE_INFINITY);
  if (sinceKey < humanQuietMs) {
    return { wait: 'a person is typing in its terminal', againInMs: humanQuietMs - sinceKey };
  }
  switch (view.composer) {
    case 'empty':
      return { route: ways.pastes === 'message' ? 'paste' : 'notice' };
    case 'draft':
      return { wait: 'a draft stands in its composer, and is left alone' };
    case 'hidden':
      return { wait: 'a menu or dialog covers its composer' };
    case 'unknown':
      // Something was printed since the last look at its screen. If the next look finds all as it
      // was, nobody tells.
      return { wait: 'its composer is not proven empty', againInMs: 500 };
  }
}

function isOpenAlways(situation: Situation): boolean {
  const { nativeDuring } = situation.ways;
  const isOpen = nativeDuring.includes('processing') && nativeDuring.includes('waiting');
  return isOpen && isNativeOpen(situation);
}

function isNativeOpen({ ways, nativeBlocked }: Situation): boolean {
  return ways.routes.includes('native') && nativeBlocked === undefined;
}
