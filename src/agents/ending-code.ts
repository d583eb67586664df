/** Why a worker that ends by itself runs on; `settling`: it has only just come to rest. */
export type KeepCode =
  | 'at-work'
  | 'owes'
  | 'answer-unread'
  | 'awaits'
  | 'mail'
  | 'children'
  | 'background'
  | 'attached'
  | 'draft'
  | 'settling'
  | 'resting'
  | 'idle-stop-off';

/** Of one that has ended and may come back. */
export type EndedCode = 'ended-with-task' | 'ended-at-rest' | 'stopped-by-parent';

/** What becomes of a worker, and why, for programs. */
export type EndingCode = KeepCode | 'ends-now' | EndedCode | 'coming-back' | 'no-room';
