import type { Attempt, AttemptOutcome, Claim, NewClaim } from './claim.ts';
import type { Message } from './message.ts';

/** The port behind which claims and attempts are kept, in the same transaction as the messages they carry. */
export interface ClaimStore {
  /** Undefined when the recipient already has a live claim that puts text into its conversation (rule 1). */
  open(claim: NewClaim): Promise<Claim | undefined>;
  find(token: number): Promise<Claim | undefined>;
  findByMark(mark: string): Promise<Claim | undefined>;
  /** Live ones, and pull claims whose messages are `injected` and not yet answered for (rule 16). */
  listUnfinished(recipient: string): Promise<readonly Claim[]>;
  listLive(recipient: string): Promise<readonly Claim[]>;
  /** Ends the claim once nothing is `claimed` under it. */
  endIfEmpty(token: number, at: number): Promise<void>;
  /** Messages that are `state` under this claim, in order. */
  listCarried(claim: Claim, state: 'claimed' | 'injected'): Promise<readonly Message[]>;

  addAttempts(messageIds: readonly string[], claim: Claim): Promise<void>;
  setOutcome(messageIds: readonly string[], token: number, outcome: AttemptOutcome): Promise<void>;
  listAttempts(messageId: string): Promise<readonly Attempt[]>;
  listAttemptsOf(token: number): Promise<readonly Attempt[]>;
}
