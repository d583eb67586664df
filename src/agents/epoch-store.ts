import type { Epoch } from './epoch.ts';

/**
 * The port behind which the lives of agents are kept. Ended ones stay for `explain` and `restart`.
 */
export interface EpochStore {
  insert(epoch: Epoch): Promise<void>;
  find(agent: string, epoch: number): Promise<Epoch | undefined>;
  findByTokenHash(hash: string): Promise<Epoch | undefined>;
  /** Those that have not ended, of agents that live and that were removed. */
  listOpen(): Promise<readonly Epoch[]>;
  setTerminal(agent: string, epoch: number, terminal: string): Promise<void>;
  /** `since`: another one was left for it, at that time. */
  setConversation(
    agent: string,
    epoch: number,
    conversation: string,
    since?: number,
  ): Promise<void>;
  /**
   * Of those that have not ended and were given their tools on this port; returns how many were not
   * lost before.
   */
  loseTools(port: number, at: number): Promise<number>;
  /** Only once: the first end is the true one. Returns whether this was it. */
  end(agent: string, epoch: number, end: EpochEnd): Promise<boolean>;
  /**
   * Deletes lives that ended before `before`, of agents that have begun two later ones and hold no
   * message of unknown fate; at most `limit`. Returns how many.
   */
  prune(before: number, limit: number): Promise<number>;
}

export interface EpochEnd {
  readonly at: number;
  readonly cause: string;
  readonly exitCode?: number;
  readonly exitSignal?: string;
}
