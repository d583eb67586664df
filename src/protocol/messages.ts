import type { MessageKind, MessageState } from '../messages/message.ts';
import type { AgentName, MissingRoute } from './agents.ts';

/**
 * What others script against. These shapes do not change without a major version; times are ISO
 * 8601 in UTC.
 */

export interface MessageView {
  readonly id: string;
  readonly kind: MessageKind;
  readonly from: AgentName;
  readonly to: AgentName;
  readonly state: MessageState;
  readonly body: string;
  readonly truncated: boolean;
  readonly urgent: boolean;
  readonly createdAt: string;
  readonly expiresAt?: string;
  readonly replyTo?: readonly string[];
  /** Of a completion: tasks that the turn held and did not answer. */
  readonly owes?: readonly string[];
  /** Of a completion that settles tasks: messages that its child sent while they were open. */
  readonly reports?: readonly string[];
  readonly attempts: number;
  readonly inContext?: boolean;
  readonly outcome?: string;
  readonly reason?: string;
  readonly turn?: string;
  readonly child?: AgentName;
  /** Present, and true, where this copy may be a second one. */
  readonly repeat?: true;
}

export interface SendResult {
  readonly id: string;
  readonly to: AgentName;
  readonly state: MessageState;
  readonly duplicate: boolean;
  /** It waits, because no message wakes its recipient at rest: why, until when, and what helps. */
  readonly unwoken?: string;
}

export interface SendRequest {
  readonly to: string;
  readonly body: string;
  readonly key?: string;
  readonly urgent?: boolean;
  readonly ttlMs?: number;
  readonly replyTo?: string;
}

/** A hint was taken. */
export interface Looked {
  /**
   * What is broken of that which wakes the recipient (rule 53), or what a person has in the way
   * (rule 45), with its name.
   */
  readonly broken?: string;
}

/** One poll for a state. */
export interface Waited {
  readonly id: string;
  readonly state: MessageState;
  /** False: not yet; ask again. */
  readonly reached: boolean;
}

export interface CheckRequest {
  readonly max?: number;
}

export interface AckRequest {
  readonly ids: readonly string[];
}

export interface AckResult {
  readonly messages: readonly { readonly id: string; readonly state: MessageState }[];
}

export interface InboxList {
  readonly messages: readonly MessageView[];
  /** Matching messages beyond those listed; 0 when these are all. */
  readonly remaining: number;
}

export interface DrainResult {
  readonly messages: readonly MessageView[];
  readonly remaining: number;
  readonly deadLetters: number;
}

export interface Explanation {
  readonly message: MessageView;
  readonly history: readonly {
    readonly at: string;
    readonly from: MessageState | null;
    readonly to: MessageState;
    readonly cause: string;
    readonly evidence?: string;
  }[];
  readonly attempts: readonly {
    /** From 1, of this message; causes in its history name it so. */
    readonly number: number;
    /** So many tries before it, cut off like it, are not listed. */
    readonly folded?: number;
    readonly at: string;
    readonly route: string;
    readonly epoch: number;
    readonly outcome: string;
    /** Of the life it was made into. */
    readonly provider?: string;
    /** What the CLI calls it. */
    readonly receipt?: string;
    /** Its id went in, its body did not (rule 13). */
    readonly pointer?: true;
    /** When a command of the agent's printed its body. */
    readonly handedOutAt?: string;
    /** Of a long body: how many parts that life was handed. */
    readonly parts?: { readonly handed: number; readonly of: number };
    /** Sent, and this route can give no proof (rule 8). */
    readonly unconfirmed?: true;
  }[];
  /** Of a queued message: what it waits for. Of one that is on its way in: where it stands. */
  readonly waitsFor?: string;
  /** With it: routes that do not lead into that agent now. */
  readonly lacks?: readonly MissingRoute[];
}
