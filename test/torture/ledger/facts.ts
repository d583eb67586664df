import type { MessageKind, MessageState } from '../../../src/messages/message.ts';

/**
 * What the observer saw, from outside: what senders were told and receivers got, through their
 * pipes. Agents by name, times on the monotonic clock that all processes of the machine share. Only
 * `rows` is the ledger's own word.
 */
export interface Facts {
  readonly sends: readonly SendFact[];
  readonly acks: readonly AckFact[];
  /** As they arrived; those of one drainer are in its order. */
  readonly documents: readonly DocumentFact[];
  /** Agents that were removed. */
  readonly removed: ReadonlySet<string>;
  /**
   * Inboxes whose drainers nobody killed: nothing in them may be handed out twice, marked or not.
   */
  readonly calm: ReadonlySet<string>;
  readonly rows: readonly LedgerRow[];
}

/** A send that was answered: it was accepted. */
export interface SendFact {
  readonly key: string;
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** Not later than the first try began. */
  readonly beganAtMs: number;
  /** Not earlier than the commit. */
  readonly answeredAtMs: number;
  readonly mayExpire: boolean;
}

/** An ack by id, or a reply, that was answered. */
export interface AckFact {
  readonly id: string;
  readonly answeredAtMs: number;
}

/** One drained document that arrived whole. */
export interface DocumentFact {
  /** The process. */
  readonly drainer: number;
  readonly inbox: string;
  readonly beganAtMs: number;
  /** When its ack was known to be on disk; absent when the drainer died before. */
  readonly finishedAtMs?: number;
  readonly copies: readonly Copy[];
}

export interface Copy {
  readonly id: string;
  readonly kind: MessageKind;
  readonly from: string;
  readonly to: string;
  /** The key that its body names, for messages. */
  readonly key?: string;
  /** The body is, to the last character, the one that was sent. */
  readonly intact: boolean;
  readonly repeat: boolean;
  readonly urgent: boolean;
  readonly attempts: number;
  /** What a bounce or notice is about. */
  readonly about?: string;
}

export interface LedgerRow {
  readonly id: string;
  readonly seq: number;
  readonly kind: MessageKind;
  readonly from: string;
  readonly to: string;
  readonly state: MessageState;
}

/**
 * Something that should not be. It names the message it is about, so that its story can be printed.
 */
export interface Finding {
  readonly id?: string;
  readonly what: string;
}
