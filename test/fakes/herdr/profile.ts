/**
 * Which herdr the fake is, and which of its habits it keeps. Every habit is on unless `FAKE_HERDR_WITHOUT` names it, so that
 * a test of a client meets the real thing by default and can leave out one difficulty at a time.
 */
export interface Profile {
  readonly version: '0.8.0' | '0.6.8';
  readonly protocol: number;
  /** Compact ids that are renumbered, positional tab ids, fewer methods. */
  readonly isOld: boolean;
  has(habit: Habit): boolean;
}

export type Habit = (typeof habits)[number];

const habits = [
  /** The connection closes after one answer, with whatever else was sent left unread. */
  'one-request',
  /** Any byte, or a half-close, ends a subscription or a wait without a line. */
  'fragile-streams',
  /** A fresh subscription first gets the retained history. */
  'replay',
  /** One event per subscription entry and tick, in the order of the list: not in the order in which things happened. */
  'throttle',
  /** Pane-scoped events are named with dots and have no `data.type`. */
  'two-namings',
  /** What cannot be decoded is answered with an empty id. */
  'empty-id',
  /** Blank, unfinished, oversized and late first lines get no answer at all. */
  'silent-drop',
  /** A first line that was not there at once costs up to 100 ms. */
  'slow-first-line',
  /** After a restart a closed workspace's id is given out again. */
  'id-reuse',
  /** Legacy and positional ids resolve. */
  'aliases',
  /** Where an official integration has told of a session, reports of state from others are muted (herdr#3174). */
  'session-first-mutes',
] as const;

export function readProfile(env: NodeJS.ProcessEnv): Profile {
  const isOld = env['FAKE_HERDR_VERSION'] === '0.6.8';
  const without = new Set((env['FAKE_HERDR_WITHOUT'] ?? '').split(',').filter(Boolean));
  for (const name of without) {
    if (!habits.some((habit) => habit === name)) throw new Error(`herdr has no habit "${name}"`);
  }
  return {
    version: isOld ? '0.6.8' : '0.8.0',
    protocol: Number(env['FAKE_HERDR_PROTOCOL'] ?? (isOld ? 12 : 20)),
    isOld,
    has: (habit) => !without.has(habit),
  };
}
