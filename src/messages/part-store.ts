import type { ProcessIdentity } from '../shared/processes.ts';

/** What became of one part of a long body, in one life of its recipient. */
export interface HandedPart {
  readonly messageId: string;
  readonly epoch: number;
  /** From 1 on. */
  readonly part: number;
  /**
   * `out`: on its way to whoever asked. `handed`: it arrived. `uncertain`: nobody knows, so it is
   * offered again, marked.
   */
  readonly state: 'out' | 'handed' | 'uncertain';
  /** Who hands it out; on the monotonic clock of the holder's boot, as a claim. */
  readonly hold?: PartHold;
  /**
   * Of a handed one: the call of an MCP client that took it, until a further call on its line shows
   * that it was read (rule 17).
   */
  readonly line?: string;
}

export interface PartHold {
  readonly id: string;
  readonly holder: ProcessIdentity;
  readonly takenAtMs: number;
  readonly leaseMs: number;
}

/**
 * The port behind which is kept how far a long message was read (rules 13, 17). Of one that goes
 * out in one piece nothing is.
 */
export interface PartStore {
  /** In order of lives and parts. */
  list(messageId: string): Promise<readonly HandedPart[]>;
  /** Replaces what was known of that part in that life. */
  put(part: HandedPart): Promise<void>;
  /**
   * The agent has another conversation: what it was handed of messages that are still open may be
   * gone from it.
   */
  doubt(recipient: string): Promise<void>;
}
