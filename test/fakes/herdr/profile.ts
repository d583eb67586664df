/**
 * Which herdr the fake is, and which of its habits it keeps. Every habit is on unless
 * `FAKE_HERDR_WITHOUT` names it, so that a test of a client meets the real thing by default and can
 * leave out one difficulty at a time.
 */
export interface Profile {
  readonly version: '0.8.0' | '0.6.8';
  readonly protocol: number;
  /** Compact ids that are renumbered, positional tab ids, fewer methods. */
  readonly isOld: boolean;
  /** How long after the last change the session is saved; 0: at once. */
  readonly saveMs: number;
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
  /**
   * One event per subscription entry and tick, in the order of the list: not in the order in which
   * things happened.
   */
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
  /** H1: a title given by a client raises no revision and sends no `pane_updated`. */
  'silent-title',
  /**
   * H2: the end of a program of which herdr knew only by a report is told as the end of a pane, and
   * not of an agent.
   */
  'silent-reported-end',
  /** H3: without a client nothing is resized, whatever the layout says. */
  'no-resize',
  /** H4: the size that a controller set stays after it has gone. */
  'kept-size',
  /** H5: the session is saved 5 s after the last change, and with a clean stop. */
  'late-save',
  /** H6: a full integration's states count once its session has been told with its start. */
  'session-before-state',
  /**
   * H7: after a release by a source of one's own, the end of the CLI is not noticed; a label of
   * one's own outlives its CLI.
   */
  'missed-end',
  /** H8: colours of the palette are written with 38;5, after a reset. */
  'palette-colours',
  /** H9: in one life a closed workspace's number is not given again. */
  'numbers-go-on',
  /** H10: a label of one's own that came first stays; the CLI's own word replaces it. */
  'first-label-stays',
  /** H11: a program beside an agent is an agent to herdr, too, if it is called like one. */
  'helpers-are-agents',
  /**
   * H12: where an official integration has told of a session, reports of others are dropped with
   * `ok` (herdr#3174).
   */
  'session-mutes',
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
    // Shorter for tests in which it must have been saved, and which are about something else.
    saveMs: without.has('late-save') ? 0 : Number(env['FAKE_HERDR_SAVE_MS'] ?? 5000),
    has: (habit) => !without.has(habit),
  };
}
