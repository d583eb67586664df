/**
 * One life of an agent's process, as the ledger keeps it. What must be found again after every
 * crash of ours is here; the agent's environment never is (rule 40).
 */
export interface Epoch {
  readonly agent: string;
  readonly epoch: number;
  readonly backend: string;
  readonly provider: string;
  readonly providerVersion?: string;
  /**
   * The backend's own durable identity (`epoch-terminal.ts` reads it); undefined until the terminal
   * exists.
   */
  readonly terminal?: string;
  /** Columns of its row that cannot be read, as of an agent. */
  readonly damaged?: readonly string[];
  readonly argv: readonly string[];
  /** What the person wrote after `--`, and the model, so that a restart asks for the same. */
  readonly extraArgs: readonly string[];
  readonly model?: string;
  /**
   * Under which its programs start; undefined for a life from before it was kept. A restart and its
   * children get the same.
   */
  readonly umask?: number;
  /** The CLI's own session id, where it is known. */
  readonly conversation?: string;
  /** Wall time: when another one was left for it; undefined: in this life none was. */
  readonly conversationSince?: number;
  /**
   * Of the token that hooks of this life must show (rule 38); the token itself is only in the
   * agent's environment.
   */
  readonly tokenHash: string;
  /**
   * The port of loopback on which it was given its tools; undefined: over stdio. Its token is good
   * on no other port.
   */
  readonly toolsPort?: number;
  /**
   * When another program was found to hold that port. It may have read the token, which is good on
   * no port since.
   */
  readonly toolsLostAt?: number;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly exitCode?: number;
  readonly exitSignal?: string;
  /** Why it ended: `exit`, `stopped`, `removed`, `restarted`, `terminal-gone`, `launch-failed`. */
  readonly endCause?: string;
}

/**
 * What was said to this life then was said in a conversation that it has left since; as far as is
 * known, for a person may have gone back to it.
 */
export function wasLeft(life: Epoch | undefined, at: number): boolean {
  return life?.conversationSince !== undefined && at < life.conversationSince;
}
