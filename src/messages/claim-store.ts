import type { ActStep, Attempt, AttemptOutcome, Claim, NewClaim, Route } from './claim.ts';
import type { Message } from './message.ts';

/**
 * The port behind which claims and attempts are kept, in the same transaction as the messages they
 * carry.
 */
export interface ClaimStore {
  /**
   * Undefined when the recipient already has a live claim that puts text into its conversation
   * (rule 1).
   */
  open(claim: NewClaim): Promise<Claim | undefined>;
  find(token: number): Promise<Claim | undefined>;
  findByMark(mark: string): Promise<Claim | undefined>;
  /**
   * Live ones, and pull claims whose messages are `injected` and not yet answered for (rule 16).
   */
  listUnfinished(recipient: string): Promise<readonly Claim[]>;
  listLive(recipient: string): Promise<readonly Claim[]>;
  /**
   * Claims under which something is `uncertain`, or `injected` and not at its end, in order; those
   * of pulls are not among them. Their fate is what evidence decides. The end is where no proof is
   * to be had, and no body to be asked for (rules 8, 13).
   */
  listUnproven(recipient: string): Promise<readonly Claim[]>;
  note(token: number, note: ClaimNote): Promise<void>;
  /** Ends the claim once nothing is `claimed` under it. */
  endIfEmpty(token: number, at: number): Promise<void>;
  /** Messages that are `state` under this claim, in order. */
  listCarried(claim: Claim, state: CarriedState): Promise<readonly Message[]>;

  addAttempts(messageIds: readonly string[], claim: Claim): Promise<void>;
  setOutcome(messageIds: readonly string[], token: number, outcome: AttemptOutcome): Promise<void>;
  listAttempts(messageId: string): Promise<readonly Attempt[]>;
  listAttemptsOf(token: number): Promise<readonly Attempt[]>;
  setPointers(messageIds: readonly string[], token: number): Promise<void>;
  /** Its body was handed out to its recipient; `undefined`: after all it was not. */
  setHandedOut(messageId: string, token: number, handed: Handed | undefined): Promise<void>;
  /**
   * Removes one try; the next one, under `into`, stands for it. Its claim goes with the last
   * message it carried.
   */
  fold(messageId: string, token: number, into: number): Promise<void>;
  /**
   * Of messages that are `injected` now: their present attempt, where a command of the agent's
   * hands out the body (pulls, rule 17) or is to (pointers, rule 13); in order.
   */
  listByHand(recipient: string): Promise<readonly Attempt[]>;
  /**
   * What may have entered this life's conversation and no turn's end has answered for, in order.
   */
  listEntered(recipient: string, epoch: number): Promise<readonly Entered[]>;
  setTurn(entered: readonly Pick<Entered, 'messageId' | 'token'>[], turn: string): Promise<void>;
}

export interface Handed {
  readonly at: number;
  /** Of the call that an MCP client made for it. */
  readonly line?: string;
}

export interface Entered {
  readonly messageId: string;
  readonly token: number;
  /** Wall time of its claim: no turn that ended before held it. */
  readonly at: number;
  readonly mark: string;
  readonly route: Route;
  /** It is in the conversation, as far as is known. Otherwise the mark may still be found there. */
  readonly isIn: boolean;
}

export type CarriedState = 'claimed' | 'injected' | 'uncertain';

export interface ClaimNote {
  readonly step?: ActStep;
  readonly receipt?: string;
  readonly isSubmitted?: true;
  /** With `isSubmitted`: what was submitted is not our text alone, word for word. */
  readonly isAltered?: true;
  /**
   * No record of this conversation can tell (rule 50): what is moved to `injected` under it from
   * now on is at its end.
   */
  readonly provable?: false;
}
