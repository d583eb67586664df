import type { Cause, CauseCode } from './cause.ts';
import type { DeadReason, Message, MessageDraft, MessageState } from './message.ts';
import type { Standing } from './standing.ts';

/**
 * The port behind which messages are kept. Its methods are the row-level verbs of one transaction;
 * what they mean together (accept, claim, settle, …) is written once, in delivery/ and fleet/, for
 * all engines. Every method that takes several messages takes them as a set, so that an engine
 * across a network can use one round trip.
 */
export interface MessageStore {
  /** Order of the array is order of the ledger. */
  insert(rows: readonly NewMessage[]): Promise<readonly Message[]>;
  find(id: string): Promise<Message | undefined>;
  /**
   * Those with this number, in the inboxes of everybody or in one; the newest first, at most
   * `listedByNumber`.
   */
  listByNumber(number: number, inbox?: Inbox): Promise<readonly Message[]>;
  findByKey(from: string, key: string): Promise<Message | undefined>;

  /** What there is of each kind for `to`, at the cost of one glance however much it is. */
  outline(to: string, now: number): Promise<Outline>;
  /**
   * The head of an inbox, in order, until a bound is reached; at least one message where there is
   * one.
   */
  listWaiting(to: string, bound: WaitingBound): Promise<readonly Message[]>;
  list(query: MessageQuery): Promise<readonly Message[]>;
  /** How many `list` would find without its limit. */
  count(query: MessageQuery): Promise<number>;
  countByState(to: string): Promise<Readonly<Partial<Record<MessageState, number>>>>;
  /** Who has queued messages past their time to live; some of them, at most `limit`. */
  listOverdueRecipients(now: number, limit: number): Promise<readonly string[]>;
  /** Queued for `to` and past their time to live. */
  listOverdue(to: string, now: number, limit: number): Promise<readonly Message[]>;
  /** Any `queued` completion of `child` for `to` that answers no task. */
  listStaleable(child: string, to: string): Promise<readonly Message[]>;
  findNewestCompletion(child: string, to: string): Promise<Message | undefined>;
  hasNewerCompletion(message: Message): Promise<boolean>;
  listDeadCompletions(child: string, reason: DeadReason): Promise<readonly Message[]>;

  /**
   * The one way to change a state: moves those of `ids` that are still in `from` (and still carried
   * by `token`, when given), writes one history row each, and returns those that moved.
   */
  move(ids: readonly string[], move: Move): Promise<readonly Moved[]>;
  setDiscarded(id: string, at: number | undefined): Promise<void>;
  setInContext(id: string, inContext: boolean): Promise<void>;
  /**
   * The agent has another conversation: what was `seen` in the last one stays so, and is out of its
   * context (rule 9).
   */
  leaveContext(to: string): Promise<void>;
  history(id: string): Promise<readonly HistoryRow[]>;
  /**
   * Removes `count` rows of a history, the `first` ones from its beginning left out: a later row
   * stands for them.
   */
  foldHistory(id: string, first: number, count: number): Promise<void>;

  /**
   * Deletes messages whose end came before `before`, oldest first and within the bound, with all
   * that belongs to them. Never what is open or owed, nor the last dead letters that nobody has
   * discarded.
   */
  prune(before: number, bound: PruneBound): Promise<Pruned>;
  /** How many settled ones `prune` would take, counted as far as `limit`. */
  countPrunable(before: number, bound: Pick<PruneBound, 'letters'> & Limit): Promise<number>;
  /** Whom the messages behind `afterSeq` name, the first `limit` of them. */
  listParties(afterSeq: number, limit: number): Promise<Parties>;
  lastPrunedAt(): Promise<number>;
  setLastPrunedAt(at: number): Promise<void>;
}

/**
 * Of an agent that lives, or of one that had this name: of all that ever had it at most one has a
 * message of a number.
 */
export type Inbox =
  | { readonly id: string; readonly name?: never }
  | { readonly name: string; readonly id?: never };

export const listedByNumber = 100;

interface Limit {
  readonly limit: number;
}

/** Of one transaction, so that it is short. */
export interface PruneBound {
  readonly count: number;
  /** Of bodies, in UTF-8; at least one message goes. */
  readonly bytes: number;
  /** Dead letters that nobody has discarded: so many of the last ones stay, however old. */
  readonly letters: number;
}

export interface Pruned {
  readonly count: number;
  readonly hasMore: boolean;
}

/** Senders, recipients and makers of messages. */
export interface Parties {
  readonly agents: ReadonlySet<string>;
  /** Undefined when there was no message. */
  readonly lastSeq: number | undefined;
}

/** Whether there is any; a few more than there are may be promised, never fewer. */
export interface Outline {
  readonly queued: boolean;
  /** Queued, and worth a wake: not every completion is (rule 30). */
  readonly waking: boolean;
  readonly urgent: boolean;
  /** Queued, and to go in as a prompt (rule 51). */
  readonly prompt: boolean;
  /** Queued, with a time to live, past or not. */
  readonly timed: boolean;
  /** Past its time to live. */
  readonly overdue: boolean;
  /** Under a live claim. */
  readonly claimed: boolean;
  /** `injected` and not at its end (rules 8, 13). */
  readonly open: boolean;
  readonly uncertain: boolean;
  /** It owes an answer (rule 30). */
  readonly owes: boolean;
}

export interface NewMessage extends MessageDraft {
  readonly id: string;
  readonly state: 'queued' | 'dead';
  readonly createdAt: number;
  readonly cause: string;
}

/** Which message it was, and whose. */
export type Moved = Pick<Message, 'id' | 'from' | 'to'>;

export interface Move extends Cause {
  readonly from: MessageState;
  readonly to: MessageState;
  readonly at: number;
  readonly evidence?: string;
  /** Only what this claim still carries: a stale token moves nothing (rule 2). */
  readonly token?: number;
  /** The claim that the move is about, where that is another than the one that carried it last. */
  readonly about?: number;
  readonly set?: MoveChanges;
}

/** Fields that change together with the state. Absent means unchanged. */
export interface MoveChanges {
  readonly token?: number;
  readonly reason?: DeadReason | null;
  readonly notLanded?: number;
  readonly reoffered?: boolean;
  readonly mayRepeat?: boolean;
  readonly inContext?: boolean;
  readonly wasTakenBack?: true;
  readonly carriedAs?: Standing;
  readonly expiresAt?: null;
  readonly discardedAt?: null;
}

export interface WaitingBound {
  readonly count: number;
  /** Of bodies, in UTF-8. */
  readonly bytes: number;
  /** Long bodies are handed out in parts: of those only one part counts. */
  readonly inParts?: boolean;
  /**
   * What is queued past its time to live is never offered, whether or not it has been settled yet
   * (rule 5).
   */
  readonly now: number;
  /** Pull also hands out `uncertain` messages (rule 18); other routes take `queued` ones alone. */
  readonly withUncertain: boolean;
  readonly urgentOnly?: boolean;
  /** Those alone that go in as prompts, or those that do not (rule 51). */
  readonly standing?: Standing;
  /** Leaves out what these budgets hold back, and what wakes nobody (rule 21). */
  readonly unlessHeldBy?: readonly HoldingBudget[];
}

/** `wakes` is for what agents and signalbox write, `scripts` for scripts of the user. */
export type HoldingBudget = 'wakes' | 'scripts';

export interface MessageQuery {
  readonly to?: string;
  /** Either the sender or the recipient. */
  readonly party?: string;
  readonly states: readonly MessageState[];
  /** Bounces and notices left out. */
  readonly lettersOnly?: boolean;
  readonly includeDiscarded?: boolean;
  /** For paging through a long list. */
  readonly afterSeq?: number;
  readonly limit: number;
  /** Of bodies, in UTF-8; at least one message is listed. */
  readonly bytes?: number;
}

export interface HistoryRow {
  readonly at: number;
  readonly from: MessageState | null;
  readonly to: MessageState;
  /** Undefined for the first row, and for rows from before it was kept. */
  readonly code?: CauseCode;
  /** For people: no program reads it. */
  readonly cause: string;
  readonly evidence?: string;
  /** The claim whose attempt it was about; undefined where it was about none, as `code` is. */
  readonly token?: number;
}

/**
 * The claim that a move was about. What is queued, or at its end, is in nobody's hands: only proof
 * for an earlier attempt, or a new claim, is about one.
 */
export function findSubject(move: Move, carriedBy: number | undefined): number | undefined {
  const isCarried = ['claimed', 'injected', 'uncertain', 'seen'].includes(move.from);
  return move.about ?? move.set?.token ?? (isCarried ? carriedBy : undefined);
}

/**
 * The message that a new row is. Written out field by field: it runs once for each message that is
 * sent.
 */
export function toNewMessage(row: NewMessage, seq: number, number?: number): Message {
  const message: { -readonly [Field in keyof Message]: Message[Field] } = {
    id: row.id,
    seq,
    kind: row.kind,
    from: row.from,
    to: row.to,
    state: row.state,
    body: row.body,
    truncated: row.truncated ?? false,
    urgent: row.urgent ?? false,
    createdAt: row.createdAt,
    replyTo: row.replyTo ?? [],
    answersTask: row.answersTask ?? false,
    isQuiet: row.isQuiet ?? false,
    isScript: row.isScript ?? false,
    isPrompt: row.isPrompt ?? false,
    attempts: 0,
    notLanded: 0,
    reoffered: false,
    mayRepeat: false,
    wasTakenBack: false,
  };
  if (number !== undefined) message.number = number;
  if (row.owes !== undefined && row.owes.length > 0) message.owes = row.owes;
  if (row.reports !== undefined && row.reports.length > 0) message.reports = row.reports;
  if (row.expiresAt !== undefined) message.expiresAt = row.expiresAt;
  if (row.key !== undefined) message.key = row.key;
  if (row.outcome !== undefined) message.outcome = row.outcome;
  if (row.reason !== undefined) message.reason = row.reason;
  if (row.turn !== undefined) message.turn = row.turn;
  if (row.child !== undefined) message.child = row.child;
  return message;
}
