// Tests: src/delivery/pick-route.test.ts, src/delivery/pick-route-queue.test.ts.

import type { AgentStatus } from '../agents/agent.ts';
import type { Composer, SmallWindow } from '../agents/status.ts';
import type { Route } from '../messages/claim.ts';
import type { SyntaxByRoute } from '../messages/escape-syntax.ts';
import type { WaitReason } from '../messages/wait-reason.ts';
import type { QueueOnEsc } from '../providers/capabilities.ts';
import type { Evidence, NativeRoute } from '../providers/way-in.ts';
import type {
  KeyObstacle,
  PeopleNotice,
  PreparedWrite,
  ScreenGuard,
  WriteOptions,
  Written,
} from '../terminals/writing.ts';

/**
 * A running agent as delivery sees it, for one epoch. The fleet makes it; nothing else touches an
 * agent's input.
 */
export interface Recipient {
  readonly agent: string;
  readonly epoch: number;
  /** May change once: its CLI may say of itself that it cannot be woken. */
  readonly ways: Ways;
  /** The CLI's own way in; undefined where it has none, or where it is a hook that waits. */
  readonly native: NativeWay | undefined;
  readonly evidence: Evidence | undefined;
  /**
   * Its terminal, for pastes, or why nothing can be typed there. May change, so it is asked for at
   * each use.
   */
  readonly pen: Pen | WaitReason;
  view(): RecipientView;
  /**
   * Puts up again what stands beside it to wake it, and is gone (rule 53). Resolves with why that
   * cannot be done; undefined: it should stand within seconds. Never throws.
   */
  putUp?(): Promise<WaitReason | undefined>;
  /** A message may have gone in, by any route: work that is seen now is of a turn of its own. */
  entered?(): void;
  /** Something was pasted and sent: a turn begins, however short it may be. */
  prompted?(beganMs: number): void;
}

/** The CLI's own way in, which says why it cannot be used with a code. */
export interface NativeWay extends Omit<NativeRoute, 'blocked'> {
  blocked(): WaitReason | undefined;
}

/** The provider's data about ways in. */
export interface Ways {
  /** Best first. */
  readonly routes: readonly Route[];
  readonly provable: readonly Route[];
  /** Why this life has no native route, although its provider has one. */
  readonly lacksNative?: WaitReason;
  readonly nativeDuring: readonly ('processing' | 'waiting')[];
  /** What a person's Esc does to the messages in its own queue. Undefined: it has no queue. */
  readonly queueOnEsc?: QueueOnEsc;
  /**
   * What comes by the native route goes where typed text goes, whatever mode the composer is in.
   */
  readonly nativeInComposer?: true;
  /** Consecutive blocks that the CLI itself allows. */
  readonly maxBlocks?: number;
  /** Routes by which a text is the user's own prompt to the model, not a notice (rule 51). */
  readonly prompts?: readonly Route[];
  /** Text and Enter go in one command of the backend. */
  readonly pastesWithEnter?: true;
  /** In two commands: how soon after the whole text is seen Enter may follow; milliseconds. */
  readonly entersSoonMs?: number;
  /** Its hook for a submitted prompt tells the prompt byte for byte, as it was pasted. */
  readonly tellsSubmitted?: 'exactly';
  /** `message`: the text itself is pasted. `notice`: one line that tells it to drain (O13). */
  readonly pastes: 'message' | 'notice';
  /** A hook's reply can hold a line for the person alone. */
  readonly showsSenders?: true;
  /** Its native route is a hook that waits. */
  readonly hasWaitingHook: boolean;
  /** Only its screen tells that a turn has ended: a person's Esc looks like an answer there. */
  readonly showsTurnEnds?: true;
  /** What is used while what the native route stands on is gone (rule 53). */
  readonly takesOver?: 'paste' | 'notice';
  /** Signs in a text that the CLI acts on, by the route that the text comes by. */
  readonly syntax?: SyntaxByRoute;
}

export interface RecipientView {
  readonly status: AgentStatus;
  readonly detail?: string;
  readonly composer: Composer;
  /** By the last look: the composer takes something else than prompts (a shell's commands). */
  readonly mode?: string;
  /** By the last look: its window is too small for its composer to be read. */
  readonly tooSmall?: SmallWindow;
  /**
   * By the last look: why nothing can be pasted there however long it rests (`vim-normal`). Unset
   * for what passes, such as a draft or a dialog.
   */
  readonly noPaste?: string;
  /**
   * Since when it has been at rest without a break, on the monotonic clock; undefined while it is
   * not.
   */
  readonly atRestSince?: number;
  /**
   * When it came to rest, if it has not said since that its turn ended by itself: a person may have
   * broken it off. On the monotonic clock.
   */
  readonly brokenOffAt?: number;
  /** When a person last pressed a key in its terminal, on the monotonic clock. */
  readonly humanKeyAt?: number;
  /** Its conversation rests, and sub-agents work beside it: it may count as processing. */
  readonly subAgents?: BesideRest;
  /** Since when the screen has stood as it is, with a composer that takes a paste. */
  readonly emptySince?: number;
}

/** Sub-agents that work while the conversation rests; each may ask a person something. */
export interface BesideRest {
  /** Undefined: not all of them are known, and at least one works. */
  readonly count: number | undefined;
  /** Since when, on the monotonic clock. */
  readonly since: number;
}

/** Its terminal, looked at and written to. */
export interface Pen {
  look(): Promise<PenLook | 'gone'>;
  write(bytes: Buffer, options?: WriteOptions): Promise<Written>;
  /**
   * Where something is gained by it: the bytes beside the terminal, until they are written or
   * dropped.
   */
  prepare?(bytes: Buffer, options?: WriteOptions): PreparedWrite | undefined;
  /** Tells the people who look at it; never throws. */
  tell?(notice: PeopleNotice): Promise<void>;
  /**
   * What its screen must look like when something is typed, by the provider's data. `present`: when
   * a text is pasted, not when Enter follows.
   */
  readonly screenGuard?: ScreenGuard;
}

export function isPen(pen: Pen | WaitReason): pen is Pen {
  return !('code' in pen);
}

export interface PenLook {
  readonly status: AgentStatus;
  readonly composer: Composer;
  readonly tooSmall?: SmallWindow;
  readonly obstacle?: KeyObstacle;
  readonly humanKeyAt?: number;
  /** Another one once a person has typed: a write may carry it as its condition. */
  readonly typingStamp?: string;
  readonly cursor?: { readonly x: number; readonly y: number };
  readonly lines: readonly string[];
}
