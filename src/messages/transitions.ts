import type { MessageState } from './message.ts';

/**
 * The life of a message: every legal move, and nothing else. Stores repeat the sources of each
 * target state in the `where` of the statement that makes the move, so that a race between two
 * processes loses cleanly.
 */
const moves = {
  queued: ['claimed', 'acked', 'seen', 'superseded', 'expired', 'dead'],
  claimed: ['injected', 'acked', 'seen', 'queued', 'uncertain', 'dead'],
  injected: ['seen', 'acked', 'queued', 'uncertain', 'dead'],
  seen: ['acked', 'queued'],
  acked: [],
  uncertain: ['injected', 'seen', 'acked', 'queued', 'dead'],
  superseded: [],
  expired: ['acked', 'seen', 'queued'],
  dead: ['acked', 'seen', 'queued'],
} as const satisfies Readonly<Record<MessageState, readonly MessageState[]>>;

export const messageStates = Object.keys(moves) as readonly MessageState[];

/** Somebody still has to do something for these. */
export const openStates = ['queued', 'claimed', 'injected', 'uncertain'] as const;

/** Retention counts from the moment one of these is reached. */
const settledStates: ReadonlySet<MessageState> = new Set([
  'seen',
  'acked',
  'superseded',
  'expired',
  'dead',
]);

export function canMove(from: MessageState, to: MessageState): boolean {
  return (moves[from] as readonly MessageState[]).includes(to);
}

export function sourcesOf(to: MessageState): readonly MessageState[] {
  return messageStates.filter((from) => canMove(from, to));
}

export function isSettled(state: MessageState): boolean {
  return settledStates.has(state);
}
