// Tests: src/delivery/open-delivery.test.ts, src/delivery/promises.test.ts.

import type { ActStep } from '../messages/claim.ts';
import type { Injected } from '../providers/way-in.ts';
import { pause } from '../shared/clock.ts';
import { joinSignals } from '../shared/join-signals.ts';
import { reportBug } from '../shared/report-bug.ts';
import type { Carried } from './carried.ts';
import { begin, type Parcel } from './deliver.ts';
import type { DeliveryParts } from './parts.ts';
import type { NativeWay, Recipient } from './recipient.ts';
import type { Paste } from './routes/paste.ts';
import type { Spoken } from './spoken.ts';
import type { Waiters } from './waiters.ts';

/**
 * An act of the CLI's own way in may begin for so long, and is waited for so long; both lie within
 * the lease.
 */
const beginWithinMs = 10_000;
const answerWithinMs = 20_000;

/** What one agent's hooks are served with; it outlives an actor. */
export interface HookMeans {
  readonly spoken: Spoken;
  readonly waiters: Waiters;
}

export interface InjectMeans extends HookMeans {
  readonly parts: DeliveryParts;
  readonly recipient: Recipient;
  /** Ends when the recipient is left. */
  readonly signal: AbortSignal;
}

/**
 * Puts a parcel into the agent by its paste, or by its native route where there is none. What made
 * that the right one is asked again immediately before the act (rule 21). Always ends with an
 * answer: a way in that fails, or gives none, has perhaps taken it.
 */
export async function inject(
  means: InjectMeans,
  parcel: Parcel,
  isStillRight: () => boolean,
  paste: Paste | undefined,
): Promise<Carried> {
  const { parts, recipient, waiters, spoken } = means;
  const start = async (): Promise<boolean> => isStillRight() && (await begin(parts, parcel));
  try {
    if (paste) return await pasteParcel(means, parcel, start, paste);
    if (recipient.ways.hasWaitingHook) {
      return isStillRight() ? await waiters.inject(parcel, spoken) : notNow;
    }
    if (!recipient.native) return { outcome: 'refused', reason: { code: 'no-native-route' } };
    return await injectNative(means, recipient.native, parcel, start);
  } catch (error) {
    reportBug(`carrying a message by ${paste ? 'paste' : 'native'}`, error);
    return { outcome: 'unknown', reason: { code: 'failed', why: String(error) } };
  }
}

async function pasteParcel(
  { parts }: InjectMeans,
  { claim, text }: Parcel,
  begin: () => Promise<boolean>,
  paste: Paste,
): Promise<Carried> {
  const note = (step: ActStep): Promise<void> =>
    parts.ledger.write((tx) => tx.claims.note(claim.token, { step }), { haste: 'last' });
  return (await paste.act({ text, begin, note })) ?? (await paste.verify());
}

async function injectNative(
  { parts, signal }: InjectMeans,
  native: NativeWay,
  { claim, text }: Parcel,
  start: () => Promise<boolean>,
): Promise<Carried> {
  const { clock } = parts.surroundings;
  const tooLate = new AbortController();
  const over = new AbortController();
  void pause(clock, beginWithinMs, over.signal).then((isLate) => isLate && tooLate.abort());
  const silence = clock.sleep(answerWithinMs, over.signal).then(() => noAnswer);
  try {
    const { signal: end, leave } = joinSignals([signal, tooLate.signal]);
    const answer = native
      .inject({ mark: claim.mark, at: claim.at, text, begin: start, signal: end })
      .finally(leave);
    return await Promise.race([answer.then(giveCode), silence]);
  } finally {
    over.abort();
  }
}

/** What a provider says of its own route is a fact: only the outcome decides anything. */
function giveCode(answer: Injected): Carried {
  if (answer.outcome === 'taken') return answer;
  const { outcome, reason: why } = answer;
  const code = outcome === 'refused' ? 'native-refused' : 'native-unsure';
  return { outcome, reason: { code, why } };
}

const notNow: Carried = { outcome: 'refused', reason: { code: 'status-changed' } };
const noAnswer: Carried = { outcome: 'unknown', reason: { code: 'native-silent' } };

/** What the history says of an act that was taken. */
export const causes = {
  native: "taken by the CLI's own way in",
  paste: 'pasted and entered, both verified',
} as const;
