/**
 * Why a message waits, or where one that is on its way in stands: a code, and the facts that its
 * sentence needs (`describe-wait.ts`). Code decides by the code; people read the sentence. The
 * codes are part of the protocol (`waitsForCode`), so none is renamed.
 */
export type WaitReason =
  | Plain
  | { readonly code: 'composer-mode'; readonly mode: string }
  /**
   * They work beside its conversation, and each may ask a person something at any moment.
   * Undefined: not all of them are known.
   */
  | { readonly code: 'sub-agents'; readonly count: number | undefined }
  /** The head of the inbox has a time to live, which does not count in the CLI's own queue. */
  | { readonly code: 'timed'; readonly while: 'unknown' | 'processing' }
  | { readonly code: 'question'; readonly detail: string | undefined }
  | { readonly code: 'status-unknown'; readonly detail: string | undefined }
  | { readonly code: 'api-failed'; readonly detail: string | undefined }
  | {
      readonly code: 'budget-spent';
      readonly budget: 'wakes' | 'scripts';
      readonly limit: number;
      /** Wall time. */
      readonly until: number;
    }
  /** What the backend cannot show, so that nothing is ever pasted there. */
  | {
      readonly code: 'backend-blind';
      readonly backend: string;
      readonly lacks: 'cursor' | 'typing' | 'both';
    }
  /** Nothing can be pasted there however long it rests; the reason's name (`Verdict.noPaste`). */
  | { readonly code: 'no-paste'; readonly reason: string }
  /** The CLI draws no composer that can be read in so small a window. */
  | ({ readonly code: 'window-too-small' } & WindowFacts)
  | {
      readonly code: 'backend-mute';
      readonly backend: string;
      readonly version: string | undefined;
    }
  | {
      readonly code: 'backend-silent';
      readonly backend: string;
      readonly detail: string | undefined;
    }
  | {
      readonly code: 'enter-waits';
      readonly obstacle: KeyObstacleCode | 'screen-covered' | 'person-typing';
    }
  | { readonly code: 'enter-kept-back'; readonly obstacle: KeyObstacleCode }
  /** This life of a CLI has no way in of its own, for as long as it lasts. */
  | {
      readonly code: 'version-too-old';
      readonly title: string;
      readonly version: string;
      /** The oldest one that has it, */
      readonly oldest: string;
      /** and the package of npm that it comes in. */
      readonly package: string;
    }
  | { readonly code: 'version-unread'; readonly title: string }
  | {
      readonly code: 'arguments-in-the-way';
      readonly title: string;
      /** By name, at least one. */
      readonly args: readonly string[];
    }
  | { readonly code: 'no-queue'; readonly title: string; readonly version: string | undefined }
  /** In the words of the provider, or of its CLI. */
  | { readonly code: 'native-blocked'; readonly why: string }
  | { readonly code: 'native-refused'; readonly why: string }
  | { readonly code: 'native-unsure'; readonly why: string }
  | { readonly code: 'cannot-be-put-up'; readonly why: string }
  | { readonly code: 'helper-not-started'; readonly helper: string }
  | { readonly code: 'failed'; readonly why: string }
  | {
      readonly code: 'recipient-exited';
      readonly name: string;
      readonly detail: string | undefined;
    }
  | { readonly code: 'records-asked-later'; readonly name: string }
  | { readonly code: 'unproven'; readonly evidence: string };

export type WaitCode = WaitReason['code'];

/** How large a window is, and how large one would do, in columns and rows. */
interface WindowFacts {
  readonly columns: number;
  readonly rows: number;
  readonly needsColumns: number;
  readonly needsRows: number;
}

/** What stands beside an agent to wake it is gone (rule 53). */
export interface BrokenChannel {
  readonly blocked: WaitReason;
  /** Why it cannot be put up again. */
  readonly cannot: WaitReason | undefined;
  /** It is put up again by itself. */
  readonly isTried: boolean;
  /** What comes of messages until it stands. */
  readonly meanwhile: 'deaf' | 'soon-pasted' | 'pasted' | 'soon-told' | 'told';
  /** Why they are not pasted, where they would be. */
  readonly penBlocked?: WaitReason;
}

/** Each a code of its own, without a fact. */
type Plain = { readonly [C in PlainCode]: { readonly code: C } }[PlainCode];

/** What a person has made of a terminal, for which keys would not reach its program alone. */
type KeyObstacleCode = 'copy-mode' | 'synchronised' | 'input-off';

type PlainCode =
  | KeyObstacleCode
  // Of the agent.
  | 'earlier-on-its-way'
  | 'starting'
  | 'exited'
  | 'works-until-turn-boundary'
  | 'works-until-rest'
  | 'answer-broke-off'
  | 'just-broken-off'
  | 'gathering'
  | 'pull-only'
  | 'told-to-drain'
  | 'told-later'
  | 'not-at-rest'
  | 'status-changed'
  | 'process-ended'
  // Of its terminal.
  | 'person-typing'
  | 'person-typed'
  | 'screen-covered'
  | 'draft'
  | 'composer-covered'
  | 'composer-unproven'
  | 'composer-not-ours'
  | 'screen-unsteady'
  | 'terminal-gone'
  | 'terminal-ended'
  | 'terminal-unconnected'
  | 'typing-refused'
  | 'one-command-refused'
  // Of an act.
  | 'claim-lost'
  | 'paste-lost'
  | 'paste-unshown'
  | 'paste-out-of-sight'
  | 'paste-touched'
  | 'enter-unseen'
  | 'enter-lost'
  | 'enter-without-effect'
  | 'no-native-route'
  | 'native-silent'
  | 'hook-missing'
  | 'hook-killed'
  | 'hook-orphaned'
  | 'hook-unconfirmed'
  | 'paste-stands-by'
  | 'notice-only'
  // Of whoever would carry it.
  | 'just-looked-at'
  | 'wakes-nobody'
  | 'no-daemon'
  | 'no-daemon-to-look'
  // Of one that is on its way in.
  | 'queued-in-left-conversation'
  | 'queue-paused'
  | 'queued-behind-turn'
  | 'landed-in-left-conversation'
  | 'landed-interrupted'
  | 'landed'
  | 'put-back'
  | 'taken-out'
  | 'draft-may-be-it'
  | 'no-record-yet';
