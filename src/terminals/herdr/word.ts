import type { AgentStatus } from '../../agents/agent.ts';

/** What herdr can be told of an agent. */
export type State = 'idle' | 'working' | 'blocked' | 'unknown';

/** What herdr shows of one terminal. */
export interface Shown {
  /** Undefined where herdr sees no agent in it. */
  readonly label: string | undefined;
  readonly status: State;
  /** The CLI reports its whole life by its integration. */
  readonly isOwnWord: boolean;
  /** The session that an integration of herdr has named; while it stands, everybody else's word is dropped with `ok` (0.8.0). */
  readonly session: string | undefined;
}

/** What we say of one agent in herdr, and how far herdr listens. Immutable: `step` makes the next one. */
export interface Word {
  /** What `signalbox status` shows. */
  readonly status: AgentStatus;
  /** What herdr has confirmed to have heard, which does not mean that it shows it. */
  readonly told: State | undefined;
  /** In how many looks in a row it has shown something else. */
  readonly missed: number;
  /** How often ours was taken back because herdr went on showing something else. */
  readonly givenUp: number;
  /** With which status it was taken back last: the next one is a new try. */
  readonly givenUpAs: AgentStatus | undefined;
  /** The session for which a word of ours, perhaps an earlier daemon's, was taken back. */
  readonly clearedFor: string | undefined;
  /** Since when nothing in the terminal has a label, on the monotonic clock. */
  readonly namelessSince: number | undefined;
  /** Nothing that we say is heard now: what herdr shows is its own idea. */
  readonly isMute: boolean;
}

export type Act = { readonly tell: State } | 'withdraw' | undefined;

/** One look may have been asked for before our word had arrived. */
const mostMissed = 2;
/** What does not listen three times will not listen at all. */
const mostTries = 3;
/**
 * herdr finds a CLI by its process within a second. A name of ours that came first would stand in that CLI's place for good
 * (0.8.0), so it is used only for what herdr does not know.
 */
export const namelessMs = 3000;

export function newWord(status: AgentStatus): Word {
  return {
    status,
    told: undefined,
    missed: 0,
    givenUp: 0,
    givenUpAs: undefined,
    clearedFor: undefined,
    namelessSince: undefined,
    isMute: false,
  };
}

/**
 * What is to be done, now that herdr shows this. First case that fits:
 *
 * | herdr has                                | we                                                                             |
 * | ---------------------------------------- | ------------------------------------------------------------------------------ |
 * | the CLI's own word                       | say nothing; ours is gone already                                              |
 * | a session that an integration has named  | take back what we said, once for that session: it would stand there unchanged  |
 * | shown something else in two looks        | take ours back; three times of that, and never again                           |
 * | no agent in the terminal, for under 3 s  | wait: it may find one                                                          |
 * | not heard what `status` shows            | tell it; but `starting`, and a first `unknown`, are no news                    |
 */
export function step(word: Word, shown: Shown, nowMs: number): { word: Word; act: Act } {
  if (shown.isOwnWord) {
    return { word: { ...word, told: undefined, missed: 0, isMute: false }, act: undefined };
  }
  if (shown.session !== undefined) return stepMuted(word, shown.session);
  const missed = word.told === undefined || word.told === shown.status ? 0 : word.missed + 1;
  if (missed >= mostMissed) {
    const givenUp = word.givenUp + 1;
    const back = { told: undefined, missed: 0, givenUp, givenUpAs: word.status, isMute: true };
    return { word: { ...word, ...back }, act: 'withdraw' };
  }
  const isMute = word.givenUp >= mostTries || word.givenUpAs === word.status;
  const namelessSince = shown.label === undefined ? (word.namelessSince ?? nowMs) : undefined;
  const next = { ...word, missed, isMute, namelessSince };
  const wanted = states[word.status];
  const isNews = wanted !== undefined && wanted !== (word.told ?? 'unknown');
  const isNamed = namelessSince === undefined || nowMs - namelessSince >= namelessMs;
  return { word: next, act: isNews && isNamed && !isMute ? { tell: wanted } : undefined };
}

/** Whether or not a word of ours stands there: where none does, taking it back changes nothing. */
function stepMuted(word: Word, session: string): { word: Word; act: Act } {
  const isDue = word.told !== undefined || word.clearedFor !== session;
  const muted = { told: undefined, missed: 0, clearedFor: session, isMute: true };
  return { word: { ...word, ...muted }, act: isDue ? 'withdraw' : undefined };
}

const states: Readonly<Partial<Record<AgentStatus, State>>> = {
  idle: 'idle',
  completed: 'idle',
  error: 'idle',
  processing: 'working',
  waiting: 'blocked',
  unknown: 'unknown',
};
