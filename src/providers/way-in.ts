import type { Route } from '../messages/claim.ts';
import type { WaitReason } from '../messages/wait-reason.ts';
import type { AgentContext } from './provider.ts';

/**
 * What delivery asks of a provider: its CLI's own way in (`native.ts` in the provider's folder),
 * and what its records say about an attempt (`evidence.ts`). Both are opened once per life of an
 * agent, are closed with it, and never throw because something is missing: that is what their
 * answers say. Neither decides anything; the rules are delivery's.
 */
export interface LiveContext {
  /** As it is now: the conversation changes with /clear and its like. */
  current(): AgentContext;
  /** Something that may matter to delivery has changed; it will look, soon and once. */
  changed(): void;
}

/** Route `native`: the CLI's own queue, API, input file or extension. */
export interface NativeRoute {
  /**
   * Why it cannot be used right now, in words for a person; undefined when it can. Cheap: asked at
   * every look.
   */
  blocked(): string | undefined;
  /**
   * Why it can never be used in this life, as the CLI itself has answered; undefined while nothing
   * says so. Cheap, too.
   */
  lacks?(): WaitReason | undefined;
  inject(injection: Injection): Promise<Injected>;
  /** Starts a queue that the CLI paused because a person interrupted it (rule 22). */
  release?(): Promise<void>;
  /**
   * Ends the turn that runs, as a person's Esc would, by the CLI's own API. Never throws. Undefined
   * where it has none for that.
   */
  interrupt?(): Promise<Interrupting>;
  /**
   * Takes a message back out of the CLI's own queue, when the conversation it waits in has been
   * left (rule 42b). `withdrawn` only if the CLI confirmed it: the message can then never be read
   * there. Never throws.
   */
  withdraw?(attempt: AttemptTrace): Promise<'withdrawn' | 'unknown'>;
  close(): void;
}

export interface Injection {
  /** Names the attempt; stands in the text, and goes where the CLI keeps an id of the caller's. */
  readonly mark: string;
  /** Wall time of the claim. */
  readonly at: number;
  readonly text: string;
  /**
   * To be awaited immediately before the act: the ledger is asked whether the claim still holds.
   * False: do nothing, and answer `refused`.
   */
  readonly begin: () => Promise<boolean>;
  /** Ends when the act may no longer begin. */
  readonly signal: AbortSignal;
}

export type Injected =
  /**
   * The CLI has it. `receipt` is what it calls it, kept with the attempt and given back to `judge`.
   */
  | { readonly outcome: 'taken'; readonly receipt?: string }
  /** Certainly nothing has reached the CLI. */
  | { readonly outcome: 'refused'; readonly reason: string }
  /** It may have. */
  | { readonly outcome: 'unknown'; readonly reason: string };

/** What came of the wish that a turn ends; that it has ended is told by the agent's status. */
export type Interrupting =
  /** The CLI has it. */
  | { readonly outcome: 'asked' }
  /** By the CLI's word no turn runs. */
  | { readonly outcome: 'at-rest' }
  /** Certainly nothing has reached the CLI. */
  | { readonly outcome: 'refused'; readonly reason: string }
  /** It may have. */
  | { readonly outcome: 'unknown'; readonly reason: string };

/** What can be done about a channel that stands beside a living agent, and is gone (rule 53). */
export type PutUp =
  /** It should stand within seconds. */
  | { readonly outcome: 'asked' }
  /** A helper of this life has ended, and is to be started again. */
  | { readonly outcome: 'start'; readonly helper: HelperProgram }
  /** In words for a person, with what they can do. */
  | { readonly outcome: 'cannot'; readonly why: string };

/** A program that an agent needs beside it, in its own terminal session. */
export interface HelperProgram {
  readonly name: string;
  readonly argv: readonly string[];
  /** The agent is started once this path exists. */
  readonly readyPath?: string;
}

/** What the CLI's own records say about attempts of ours. */
export interface Evidence {
  /**
   * One finding for each attempt, from what is on record now. Reads what was added since it was
   * last asked; after a restart of ours, from the beginning or from the end until it knows.
   */
  judge(attempts: readonly AttemptTrace[]): Promise<readonly Finding[]>;
  close(): void;
}

/** One attempt to be judged. */
export interface AttemptTrace {
  readonly mark: string;
  readonly route: Route;
  /** Wall time of the claim: nothing about it is older. */
  readonly at: number;
  readonly receipt?: string;
  /**
   * A hook told that text with this mark was submitted. It proves nothing (rule 6), but without it
   * some things are impossible.
   */
  readonly isSubmitted: boolean;
  /** And that it was not the attempt's text alone, word for word. */
  readonly isAltered?: true;
  /** What was pasted, word for word, where the ledger can still write it. */
  readonly text?: string;
  /**
   * The process that took it lives. False: this life may be a later one, and its records are those
   * of a resumed conversation.
   */
  readonly isAlive: boolean;
  /** Of the life that took it. */
  readonly conversation: string | undefined;
}

/**
 * How far an attempt got:
 *
 * - `seen`: model output is linked to an input that holds the mark, by the CLI's own rule (rule 6).
 * - `landed`: it is in the conversation and rides with the next request, but no output followed
 *   yet.
 * - `held`: the CLI keeps it in a queue of its own, which survives.
 * - `removed`: it was in the conversation, and the CLI took it out, because the turn was cancelled
 *   or failed (rule 9).
 * - `absent`: by the CLI's own rule it is proven not to have landed.
 * - `none`: there is no trace of it; that may still change, and proves nothing by itself (rules 4,
 *   11).
 * - `unknown`: its records cannot tell, now or ever, or could not be read.
 */
export interface Finding {
  readonly found: 'seen' | 'landed' | 'held' | 'removed' | 'absent' | 'none' | 'unknown';
  /** For `explain`: which record of which file or API, named so that a person can find it. */
  readonly evidence: string;
  /**
   * Why it was removed. An interruption is a person's, and is answered later than a failure.
   * `refused`: the records show that the request was turned down before any output (an HTTP status,
   * no content) or was never made; only then is the next copy unmarked (rule 49). `failed`:
   * anything else, such as a stream that broke; the model may have read it.
   */
  readonly because?: 'interrupted' | 'failed' | 'refused';
  /**
   * `held` or `landed` in a conversation that the terminal shows no more: /new, /clear, /resume, a
   * fork (rule 42b).
   */
  readonly isLeft?: boolean;
  /** `landed`, and a person interrupted its turn: the text stays in the conversation (rule 42c). */
  readonly isInterrupted?: boolean;
  /**
   * `landed` or `none`, of a prompt that the CLI takes out again, and puts back into the composer,
   * when a person interrupts it before any output (rule 51d).
   */
  readonly isTakenBackByEsc?: boolean;
  /**
   * `landed`, and its records show it taken out of the conversation, without a cause as yet: a
   * moment of a resume, or a person's interruption before the request was made (rule 51d).
   */
  readonly isBeingTakenOut?: boolean;
  /** `none`, because a server of the CLI that would know cannot be asked now. */
  readonly isUnasked?: boolean;
  /** `unknown`, and the model has answered since without it, or perhaps without it. */
  readonly isPassedOver?: boolean;
  /**
   * The records show turns, and none in a form that we know (rule 50): whatever else is said here,
   * no proof and no absence can be had. Never with `seen` or `absent`. `evidence` says of which
   * version.
   */
  readonly isUnrecognised?: boolean;
}

/** What a hook's reply looks like in one CLI: what the client prints, and how it ends. */
export interface HookReply {
  readonly stdout?: string;
  readonly stderr?: string;
  readonly exitCode: number;
}

/** What one hook's call offers us. */
export interface HookOffer {
  /** `native`: a hook that waits until there is something to say. */
  readonly route: 'native' | 'turn-boundary' | 'mid-turn';
  /**
   * The turn goes on because of an earlier reply of ours; when the CLI does not say, it counts as
   * true (rule 19).
   */
  readonly isContinued: boolean;
  /**
   * Of a hook that waits: it came only in case there was none, and goes at once where another one
   * waits.
   */
  readonly isSpare?: true;
  /** `shown` is a line for the person alone, where the CLI can show one (`showsSenders`). */
  readonly reply: (text: string, shown?: string) => HookReply;
}

/** The end of one turn, by the provider's one authority for it (rule 26). */
export interface TurnNews {
  readonly session: string;
  /** The CLI's own id of the turn. */
  readonly id: string;
  readonly outcome: 'completed' | 'failed' | 'interrupted';
  /**
   * The nth stop of this turn where the CLI knows, so that it may be told again; otherwise it is
   * counted.
   */
  readonly stop?: number;
  /**
   * Wall time, of an end that is looked up after the fact: what was sent later entered a later turn
   * (rule 26). Not of one that is told as it happens, unless `held` decides: a clock that is set
   * back must not make its answer count for nothing (rule 5).
   */
  readonly endedAt?: number;
  /**
   * The last words of the turn, where the source has them; empty where it knows that there were
   * none.
   */
  readonly text?: string;
  /**
   * All that was said in it, where the source has that alone; it counts only where the last words
   * are not to be had.
   */
  readonly said?: string;
  /**
   * One call of a hook: told again, by the daemon's answer that was lost and by the hook's own
   * commit, it is the same stop.
   */
  readonly report?: string;
  /** Of one that failed: the CLI's words for that, the API's error. */
  readonly why?: string;
  /**
   * The marks that stand in its prompts, where the source has them all: it can answer no other
   * message (rule 26).
   */
  readonly held?: readonly string[];
  /** How many tasks go on in the background of the CLI behind this end, where it tells them. */
  readonly background?: number;
}
