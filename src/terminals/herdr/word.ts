import type { AgentStatus } from '../../agents/agent.ts';

/** What herdr is told of an agent. `unknown` is not: then nothing of ours is to stand there. */
type State = 'idle' | 'working' | 'blocked';

/** What herdr shows of one terminal. */
export interface Shown {
  /** Undefined where herdr sees no agent in it. */
  readonly label: string | undefined;
  readonly status: State | 'unknown';
  /** The CLI reports its whole life by its integration. */
  readonly isOwnWord: boolean;
  /**
   * The session that an integration of herdr has named; while it stands, everybody else's word is
   * dropped with `ok` (0.8.0).
   */
  readonly session: string | undefined;
}

/**
 * What we say of one agent in herdr, and how far herdr listens. Immutable: `step` makes the next
 * one.
 */
export interface Word {
  /** What `signalbox status` shows. */
  readonly status: AgentStatus;
  /**
   * What of ours stands in herdr: the last one that it has confirmed, nothing, or `perhaps`
   * something: an answer was lost, or an earlier daemon may have said something.
   */
  readonly standing: State | 'perhaps' | undefined;
  /** In how many looks in a row it has shown something else. */
  readonly missed: number;
  /** How often in a row ours was taken back because herdr went on showing something else. */
  readonly givenUp: number;
  /** With which status it was taken back last: the next one is a new try. */
  readonly givenUpAs: AgentStatus | undefined;
  /** The session for which ours was taken back. */
  readonly clearedFor: string | undefined;
  /** Since when nothing in the terminal has a label, on the monotonic clock. */
  readonly namelessSince: number | undefined;
  /**
   * Nothing that we say is heard now: what herdr shows is its own idea, once nothing of ours
   * stands.
   */
  readonly isMute: boolean;
}

export type Act = { readonly tell: State } | 'take-back' | undefined;

/** One look may have been asked for before our word had arrived. */
const mostMissed = 2;
/** What does not listen three times in a row will not listen at all. */
const mostTries = 3;
/**
 * herdr finds a CLI by its process within a second. A name of ours that came first would stand in
 * that CLI's place for good (0.8.0), so it is used only for what herdr does not know.
 */
export const namelessMs = 3000;

export function newWord(status: AgentStatus): Word {
  return {
    status,
    standing: 'perhaps',
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
 * | herdr has                                   | we                                              |
 * | ------------------------------------------- | ----------------------------------------------- |
 * | the CLI's own word                          | say nothing; ours is gone already               |
 * | a session that an integration has named     | take ours back, and once in any case: it would  |
 * |                                             | stand there unchanged                           |
 * | shown something else than ours in two looks | take ours back; after the third time in a row,  |
 * |                                             | say nothing more                                |
 * | ours standing, and nothing to say           | take ours back (`starting`, `unknown`, a status |
 * |                                             | that it would not hear)                         |
 * | no agent in the terminal, for under 3 s     | wait: it may find one                           |
 * | not heard what `status` shows               | tell it                                         |
 */
export function step(word: Word, shown: Shown, nowMs: number): { word: Word; act: Act } {
  if (shown.isOwnWord) {
    const gone = { standing: undefined, missed: 0, isMute: false };
    return { word: { ...word, ...gone }, act: undefined };
  }
  if (shown.session !== undefined) return stepMuted(word, shown.session);
  const wanted = states[word.status];
  const isAgreed = word.standing === shown.status;
  const isContradicted = word.standing === wanted && wanted !== undefined && !isAgreed;
  const missed = isContradicted ? word.missed + 1 : 0;
  if (missed >= mostMissed) {
    const givenUp = word.givenUp + 1;
    const tried = { missed: 0, givenUp, givenUpAs: word.status, isMute: true };
    return { word: { ...word, ...tried }, act: 'take-back' };
  }
  const heard = isAgreed ? { givenUp: 0, givenUpAs: undefined } : {};
  const namelessSince = shown.label === undefined ? (word.namelessSince ?? nowMs) : undefined;
  const next = { ...word, ...heard, missed, namelessSince };
  const isMute = next.givenUp >= mostTries || next.givenUpAs === word.status;
  return { word: { ...next, isMute }, act: chooseAct(next, isMute ? undefined : wanted, nowMs) };
}

function chooseAct(
  { standing, namelessSince }: Word,
  wanted: State | undefined,
  nowMs: number,
): Act {
  if (wanted === undefined) return standing === undefined ? undefined : 'take-back';
  if (wanted === standing) return undefined;
  const isNamed = namelessSince === undefined || nowMs - namelessSince >= namelessMs;
  return isNamed ? { tell: wanted } : undefined;
}

function stepMuted(word: Word, session: string): { word: Word; act: Act } {
  const isDue = word.standing !== undefined || word.clearedFor !== session;
  const muted = { missed: 0, clearedFor: session, isMute: true };
  return { word: { ...word, ...muted }, act: isDue ? 'take-back' : undefined };
}

/** After an act: what stands now. An answer that did not come says nothing. */
export function settle(word: Word, act: NonNullable<Act>, isDone: boolean): Word {
  if (!isDone) return { ...word, standing: 'perhaps', clearedFor: undefined };
  return { ...word, standing: act === 'take-back' ? undefined : act.tell };
}

const states: Readonly<Partial<Record<AgentStatus, State>>> = {
  idle: 'idle',
  completed: 'idle',
  error: 'idle',
  processing: 'working',
  waiting: 'blocked',
};
