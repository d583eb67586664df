import type { Ways } from '../../src/delivery/recipient.ts';

/** One sort of CLI: what it offers, and how it behaves. Modelled on those that signalbox knows. */
export interface Kind {
  readonly name: string;
  readonly ways: Ways;
  /**
   * What becomes of text that comes by its native way while it works: kept for the next turn, or
   * joined at the next step.
   */
  readonly whileWorking: 'queue' | 'join';
  /** Its records can tell. */
  readonly hasProof: boolean;
  /** What is in none of its records, of a process that is dead, has certainly not landed. */
  readonly provesAbsence: boolean;
  readonly resumes: boolean;
  /** Its queue is on disk, and goes on in the resumed conversation. */
  readonly queueSurvives: boolean;
  /**
   * Its queue belongs to the conversation and stays behind with it; or to the process, and is read
   * in the next one.
   */
  readonly onLeave: 'kept' | 'carried';
  /** What stands in its queue can be taken back. */
  readonly withdraws: boolean;
  /**
   * A person's interruption takes unread text out of the conversation; the composer may get it
   * back.
   */
  readonly onCancel: 'stays' | 'removed' | 'put-back';
  /** Its records tell that a person interrupted a turn whose text stays. */
  readonly tellsInterruption: boolean;
  readonly onFailure: 'stays' | 'removed';
  /** Its stop hook says whether the turn goes on because of an earlier reply. */
  readonly saysContinued: boolean;
  /** Its screen shows no error when a request fails: only its records tell (Gemini CLI 0.61.0). */
  readonly hidesFailure?: true;
  /**
   * Its records have a form that nobody here knows: they show texts, and never an answer (rule 50).
   */
  readonly isStrange?: true;
  /** What wakes it cannot be put up again while it runs (rule 53). */
  readonly staysCut?: true;
}

const noHook = { pastes: 'message', hasWaitingHook: false } as const;

export const kinds: readonly Kind[] = [
  {
    name: 'waiting-hook',
    ways: {
      routes: ['native', 'turn-boundary', 'mid-turn', 'pull'],
      provable: ['native', 'turn-boundary', 'mid-turn'],
      nativeDuring: [],
      maxBlocks: 7,
      pastes: 'message',
      hasWaitingHook: true,
    },
    ...{ whileWorking: 'join', hasProof: true, provesAbsence: false, resumes: true },
    ...{ queueSurvives: false, onLeave: 'carried', withdraws: false },
    ...{ onCancel: 'removed', tellsInterruption: false, onFailure: 'stays', saysContinued: true },
  },
  {
    name: 'own-queue',
    ways: {
      routes: ['native', 'turn-boundary', 'pull'],
      provable: ['native', 'turn-boundary'],
      nativeDuring: ['processing', 'waiting'],
      ...noHook,
    },
    ...{ whileWorking: 'queue', hasProof: true, provesAbsence: true, resumes: true },
    ...{ queueSurvives: true, onLeave: 'kept', withdraws: true },
    ...{ onCancel: 'stays', tellsInterruption: true, onFailure: 'removed', saysContinued: true },
  },
  {
    // The same without a way to take a message back: what is left behind can only be offered again,
    // marked.
    name: 'kept-queue',
    ways: {
      routes: ['native', 'pull'],
      provable: ['native'],
      nativeDuring: ['processing'],
      ...noHook,
    },
    ...{ whileWorking: 'queue', hasProof: true, provesAbsence: false, resumes: true },
    ...{ queueSurvives: false, onLeave: 'kept', withdraws: false },
    ...{ onCancel: 'stays', tellsInterruption: false, onFailure: 'stays', saysContinued: false },
  },
  {
    name: 'joining',
    ways: {
      routes: ['native', 'pull'],
      provable: ['native'],
      nativeDuring: ['processing'],
      ...noHook,
    },
    ...{ whileWorking: 'join', hasProof: true, provesAbsence: true, resumes: true },
    ...{ queueSurvives: false, onLeave: 'carried', withdraws: false },
    ...{ onCancel: 'stays', tellsInterruption: true, onFailure: 'removed', saysContinued: false },
    hidesFailure: true,
  },
  {
    // An extension that is loaded once: when it is gone, the paste takes over (rule 53).
    name: 'extension',
    ways: {
      routes: ['native', 'pull'],
      provable: ['native', 'paste'],
      nativeDuring: ['processing'],
      queueOnEsc: 'dropped',
      takesOver: 'paste',
      ...noHook,
    },
    ...{ whileWorking: 'queue', hasProof: true, provesAbsence: false, resumes: true },
    ...{ queueSurvives: false, onLeave: 'carried', withdraws: false },
    ...{ onCancel: 'stays', tellsInterruption: true, onFailure: 'stays', saysContinued: false },
    staysCut: true,
  },
  {
    // An input file whose lines stand beside what a person types: Esc puts them into the composer.
    name: 'input-file',
    ways: {
      routes: ['native', 'pull'],
      provable: ['native'],
      nativeDuring: ['processing'],
      queueOnEsc: 'returned',
      ...noHook,
    },
    ...{ whileWorking: 'join', hasProof: true, provesAbsence: false, resumes: true },
    ...{ queueSurvives: false, onLeave: 'carried', withdraws: false },
    ...{ onCancel: 'stays', tellsInterruption: false, onFailure: 'stays', saysContinued: false },
  },
  {
    name: 'strange-records',
    ways: {
      routes: ['native', 'pull'],
      provable: ['native'],
      nativeDuring: ['processing'],
      ...noHook,
    },
    ...{ whileWorking: 'queue', hasProof: true, provesAbsence: false, resumes: true },
    ...{ queueSurvives: false, onLeave: 'carried', withdraws: false },
    ...{ onCancel: 'stays', tellsInterruption: false, onFailure: 'stays', saysContinued: false },
    isStrange: true,
  },
  {
    name: 'pasted',
    ways: {
      routes: ['turn-boundary', 'paste', 'pull'],
      provable: ['turn-boundary', 'paste'],
      nativeDuring: [],
      ...noHook,
    },
    ...{ whileWorking: 'queue', hasProof: true, provesAbsence: false, resumes: true },
    ...{ queueSurvives: false, onLeave: 'carried', withdraws: false },
    ...{ onCancel: 'put-back', tellsInterruption: false, onFailure: 'stays', saysContinued: false },
  },
  {
    name: 'unprovable',
    ways: {
      routes: ['native', 'pull'],
      provable: [],
      nativeDuring: ['processing'],
      ...noHook,
    },
    ...{ whileWorking: 'queue', hasProof: false, provesAbsence: false, resumes: false },
    ...{ queueSurvives: false, onLeave: 'carried', withdraws: false },
    ...{ onCancel: 'stays', tellsInterruption: false, onFailure: 'stays', saysContinued: false },
  },
  {
    name: 'told-to-drain',
    ways: {
      routes: ['paste', 'pull'],
      provable: [],
      nativeDuring: [],
      pastes: 'notice',
      hasWaitingHook: false,
      showsTurnEnds: true,
    },
    ...{ whileWorking: 'queue', hasProof: false, provesAbsence: false, resumes: false },
    ...{ queueSurvives: false, onLeave: 'carried', withdraws: false },
    ...{ onCancel: 'stays', tellsInterruption: false, onFailure: 'stays', saysContinued: false },
  },
];

/** A queue that an interruption paused can be released by its own way in. */
export function isReleasable({ ways }: Kind): boolean {
  return ways.routes.includes('native') && !ways.hasWaitingHook;
}
