import type { Standing } from './standing.ts';

export type MessageState =
  | 'queued'
  | 'claimed'
  | 'injected'
  | 'seen'
  | 'acked'
  | 'uncertain'
  | 'superseded'
  | 'expired'
  | 'dead';

export type MessageKind = 'message' | 'task' | 'completion' | 'bounce' | 'notice';

/** How a turn ended. `waiting` answers nothing: the child sits in a dialog. */
export type TurnOutcome = 'completed' | 'failed' | 'interrupted' | 'waiting' | 'exited' | 'unknown';

/** Why a message is dead (rule 34). */
export type DeadReason =
  | 'orphan'
  | 'parent_removed'
  | 'child_removed'
  | 'recipient_removed'
  | 'attempts_exhausted'
  | 'refused'
  /** Its sender took it back, or a person did at the terminal: nobody is told (rules 34, 51). */
  | 'withdrawn';

/** A durable record from a sender to one recipient. Agents are named by id. */
export interface Message {
  readonly id: string;
  /** The ledger's own order, and the only order there is (rule 5). */
  readonly seq: number;
  /**
   * In the inbox of its recipient, and never given twice there (`short-id.ts`). Undefined: an older
   * daemon that still ran has accepted it.
   */
  readonly number?: number;
  readonly kind: MessageKind;
  readonly from: string;
  readonly to: string;
  readonly state: MessageState;
  readonly body: string;
  readonly truncated: boolean;
  readonly urgent: boolean;
  readonly createdAt: number;
  readonly expiresAt?: number;
  readonly replyTo: readonly string[];
  /** It answers an assign or handoff, and is therefore never superseded (rule 28). */
  readonly answersTask: boolean;
  /** Of a completion: tasks of its recipient that the turn held and did not answer (rule 30). */
  readonly owes?: readonly string[];
  /** Of a completion that settles tasks: what its child sent its recipient while they were open. */
  readonly reports?: readonly string[];
  /**
   * It tells its recipient nothing that is worth a turn, such as the end of a turn whose answer was
   * given in words before (rule 30): it wakes no agent, and goes along with other mail.
   */
  readonly isQuiet: boolean;
  /** Sent by a script of the user, not at a terminal (rule 21). */
  readonly isScript: boolean;
  /** It is to arrive as a prompt (rule 51). */
  readonly isPrompt: boolean;
  /** As what it was last carried. */
  readonly carriedAs?: Standing;
  readonly key?: string;
  readonly attempts: number;
  /** Attempts proven not landed since it was last queued by a sender or a person (rule 34). */
  readonly notLanded: number;
  /** The one re-offer without proof of rule 10 is spent. */
  readonly reoffered: boolean;
  /** The next copy may be a second one and must say so. */
  readonly mayRepeat: boolean;
  /** It was `seen` and went back to `queued` once (rule 9). */
  readonly wasTakenBack: boolean;
  readonly inContext?: boolean;
  readonly outcome?: TurnOutcome;
  readonly reason?: DeadReason;
  readonly turn?: string;
  readonly child?: string;
  /** The claim that carried it last. */
  readonly token?: number;
  readonly discardedAt?: number;
}

/** What a sender hands over; the ledger adds id, order and state. */
export interface MessageDraft {
  readonly kind: MessageKind;
  readonly from: string;
  readonly to: string;
  readonly body: string;
  readonly truncated?: boolean;
  readonly urgent?: boolean;
  readonly expiresAt?: number;
  readonly replyTo?: readonly string[];
  readonly answersTask?: boolean;
  readonly owes?: readonly string[];
  readonly reports?: readonly string[];
  readonly isQuiet?: boolean;
  readonly isScript?: boolean;
  readonly isPrompt?: boolean;
  /** A reply that only asks: it settles no debt (rule 30). Not kept. */
  readonly isQuestion?: boolean;
  readonly key?: string;
  readonly outcome?: TurnOutcome;
  readonly reason?: DeadReason;
  readonly turn?: string;
  readonly child?: string;
  /** From where, for its history. */
  readonly evidence?: string;
}

/** Hard bounds, in bytes of UTF-8. How long a body may be is a setting. */
export const limits = {
  /** Summaries of turns are cut at the producer (O5). */
  completion: 32 * 1024,
  /** In bytes. */
  key: 256,
  /**
   * Ten years. A time so far away that no date can name it would make every later look into that
   * inbox fail.
   */
  ttlMs: 3650 * 86_400_000,
  /** Causes and evidence in a history. */
  reason: 2048,
} as const;
