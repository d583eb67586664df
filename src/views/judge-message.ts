import type { PageMessage } from '../protocol/page.ts';

/**
 * How a message is faring, for the eye: `moving`, on its way and young; `waiting`, for something
 * that comes by itself; `stuck`, open for longer than it should be, or of unknown fate; `lost`, not
 * delivered; `unproven`, sent where no proof can be had; `done`.
 */
export type Faring = 'moving' | 'waiting' | 'stuck' | 'lost' | 'unproven' | 'done';

type Judged = Pick<
  PageMessage,
  'state' | 'to' | 'createdAt' | 'changedAt' | 'waitsForCode' | 'discarded' | 'reason'
>;

/** So long a way in may take before it is worth a look. */
const patienceMs = 60_000;

/** These end without a person: the agent's turn, its own look into the inbox, a moment. */
const passing: ReadonlySet<string> = new Set([
  'earlier-on-its-way',
  'gathering',
  'just-looked-at',
  'landed',
  'no-record-yet',
  'pull-only',
  'queued-behind-turn',
  'starting',
  'sub-agents',
  'timed',
  'told-later',
  'told-to-drain',
  'wakes-nobody',
  'works-until-rest',
  'works-until-turn-boundary',
]);

export function judgeMessage(message: Judged, now: number, user: string): Faring {
  const { state, waitsForCode: code } = message;
  if (state === 'dead' || state === 'expired') return isForgiven(message) ? 'done' : 'lost';
  if (isAtRest(message)) return 'done';
  if (state === 'uncertain') return 'stuck';
  if (state === 'injected' && code === 'unproven') return 'unproven';
  // The person reads when the person likes.
  if (message.to.id === user) return 'waiting';
  const isYoung = now - Date.parse(message.createdAt) < patienceMs;
  if (isYoung) return 'moving';
  return code !== undefined && passing.has(code) ? 'waiting' : 'stuck';
}

/** Somebody wanted it so. */
function isForgiven({ discarded, reason }: Judged): boolean {
  return discarded === true || reason === 'withdrawn';
}

const ends: ReadonlySet<PageMessage['state']> = new Set([
  'seen',
  'acked',
  'superseded',
  'expired',
  'dead',
]);

/** Nobody has to do anything for it any more. */
export function isAtRest({ state }: Pick<PageMessage, 'state'>): boolean {
  return ends.has(state);
}
