// Tests: src/delivery/open-delivery.test.ts, src/delivery/held.test.ts.

import type { Outline } from '../messages/message-store.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { findHold, type Hold, hasFreePrompt } from './find-hold.ts';
import { countGathering } from './gather.ts';
import type { DeliveryParts } from './parts.ts';
import { findDue, isDue } from './settle-due.ts';

type SurveyParts = Pick<DeliveryParts, 'ledger' | 'surroundings' | 'limits'>;

/** What waits in an inbox, as far as it decides how it goes in. */
export interface Waiting {
  readonly isUrgent: boolean;
  /** A budget is spent, and nothing that waits is free of it (rule 21). */
  readonly hold: Hold | undefined;
  /** Whether the first one, and the first urgent one, has a time to live. */
  readonly timed: { readonly head: boolean; readonly urgent: boolean };
  /** A prompt waits (rule 51), and no spent budget keeps it back from beginning a turn. */
  readonly hasPrompt: boolean;
  /** Answers alone wait, so many, and more are owed. */
  readonly gathering: number | undefined;
}

/** Whether there is anything to do for one agent, of every kind that there is. */
export interface Glance {
  readonly isDue: boolean;
  /** Attempts whose fate is open. */
  readonly hasUnproven: boolean;
  readonly hasUncertain: boolean;
  /** It took messages itself, and nothing has answered for them yet. */
  readonly hasHandedOut: boolean;
  readonly owes: boolean;
  readonly waiting: Waiting | undefined;
}

/**
 * One read, and no write (rule 20): most looks find a message to carry, or nothing, and little
 * else.
 */
export function glance(parts: SurveyParts, agent: string): Promise<Glance> {
  return parts.ledger.read(async (tx) => {
    const { surroundings } = parts;
    const now = surroundings.clock.now();
    const outline = await tx.messages.outline(agent, now);
    const { overdue, claimed, open, uncertain } = outline;
    const mayBeDue = overdue || claimed || open;
    return {
      isDue: mayBeDue && isDue(await findDue(tx, surroundings, agent)),
      hasUnproven: (open || uncertain) && (await tx.claims.listUnproven(agent)).length > 0,
      hasUncertain: uncertain,
      hasHandedOut: open && (await tx.claims.listByHand(agent)).length > 0,
      owes: outline.owes,
      waiting: await survey(tx, parts, agent, outline),
    };
  });
}

/** Undefined when there is nothing to carry. */
export function surveyInbox(parts: SurveyParts, agent: string): Promise<Waiting | undefined> {
  const now = parts.surroundings.clock.now();
  return parts.ledger.read(async (tx) =>
    survey(tx, parts, agent, await tx.messages.outline(agent, now)),
  );
}

async function survey(
  tx: LedgerTransaction,
  { surroundings, limits }: SurveyParts,
  agent: string,
  { waking, urgent, timed, prompt }: Outline,
): Promise<Waiting | undefined> {
  if (!waking) return undefined;
  const now = surroundings.clock.now();
  const hold = await findHold(tx, agent, { limits, now });
  return {
    isUrgent: urgent,
    // Where all of the inbox is held back, nothing goes in, as whatever.
    hasPrompt: prompt && (hold !== undefined || (await hasFreePrompt(tx, agent, { limits, now }))),
    hold,
    timed: timed ? await findTimed(tx, agent, now) : { head: false, urgent: false },
    gathering: await countGathering(tx, agent, now),
  };
}

async function findTimed(
  tx: LedgerTransaction,
  agent: string,
  now: number,
): Promise<Waiting['timed']> {
  const isTimed = async (urgentOnly: boolean): Promise<boolean> => {
    const bound = { now, count: 1, bytes: 0, withUncertain: false, urgentOnly };
    const [first] = await tx.messages.listWaiting(agent, bound);
    return first?.expiresAt !== undefined;
  };
  return { head: await isTimed(false), urgent: await isTimed(true) };
}
