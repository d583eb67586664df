import type { Ways } from '../../src/delivery/recipient.ts';

/** One sort of CLI: what it offers, and how it behaves. Modelled on those that signalbox knows. */
export interface Kind {
  readonly name: string;
  readonly ways: Ways;
  /** What becomes of text that comes by its native way while it works: kept for the next turn, or joined at the next step. */
  readonly whileWorking: 'queue' | 'join';
  /** Its records can tell. */
  readonly hasProof: boolean;
  /** What is in none of its records, of a process that is dead, has certainly not landed. */
  readonly provesAbsence: boolean;
  readonly resumes: boolean;
  /** Its queue is on disk, and goes on in the resumed conversation. */
  readonly queueSurvives: boolean;
  /** A person's interruption takes unread text out of the conversation; the composer may get it back. */
  readonly onCancel: 'stays' | 'removed' | 'put-back';
  readonly onFailure: 'stays' | 'removed';
  /** Its stop hook says whether the turn goes on because of an earlier reply. */
  readonly saysContinued: boolean;
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
    ...{ queueSurvives: false, onCancel: 'removed', onFailure: 'stays', saysContinued: true },
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
    ...{ queueSurvives: true, onCancel: 'stays', onFailure: 'removed', saysContinued: true },
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
    ...{ queueSurvives: false, onCancel: 'stays', onFailure: 'removed', saysContinued: false },
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
    ...{ queueSurvives: false, onCancel: 'put-back', onFailure: 'stays', saysContinued: false },
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
    ...{ queueSurvives: false, onCancel: 'stays', onFailure: 'stays', saysContinued: false },
  },
  {
    name: 'told-to-drain',
    ways: {
      routes: ['paste', 'pull'],
      provable: [],
      nativeDuring: [],
      pastes: 'notice',
      hasWaitingHook: false,
    },
    ...{ whileWorking: 'queue', hasProof: false, provesAbsence: false, resumes: false },
    ...{ queueSurvives: false, onCancel: 'stays', onFailure: 'stays', saysContinued: false },
  },
];
