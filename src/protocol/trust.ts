/** One file of a working folder: whether the user trusts it as it is, and what it would change. */
export interface TrustView {
  readonly path: string;
  readonly kind: 'profile' | 'claude-agent' | 'worktree-list';
  /**
   * `new`: nobody has been asked; `changed` since it was trusted; `gone`: trusted, and not there
   * any more; `broken`: it cannot be used, so there is nothing to trust; `damaged`: the record of
   * its trust is, and so it counts for nothing.
   */
  readonly state: 'trusted' | 'new' | 'changed' | 'gone' | 'broken' | 'damaged';
  /** Where the way leads, if that is another place. */
  readonly realPath?: string;
  /** That place is not in the project. */
  readonly outside?: true;
  readonly sha256?: string;
  readonly trustedAt?: string;
  /** Who trusted it, and from where. */
  readonly by?: string;
  /** Why it is broken or damaged. */
  readonly trouble?: string;
  readonly changes?: TrustChanges;
  /** Lines since it was trusted, each with `+` or `-` before it, or a space where it stayed. */
  readonly diff?: readonly string[];
}

/** What a file would make of a launch. */
export interface TrustChanges {
  readonly name?: string;
  readonly provider?: string;
  readonly model?: string;
  /** As the file names it. */
  readonly permission?: string;
  /** It works without asking a person (rule 39). */
  readonly asksNobody?: true;
  readonly allowedTools?: readonly string[];
  /** `name: command and arguments`, or `name: address`. */
  readonly mcpServers?: readonly string[];
  /** Names of variables that it sets. */
  readonly env?: readonly string[];
  /** Names of variables that it would set and that never come from a working folder. */
  readonly leftOut?: readonly string[];
  readonly worktree?: boolean;
  readonly toolsOver?: 'http';
  /** Bytes of text for the model. */
  readonly instructions?: number;
  /** Of `.worktreeinclude`: patterns of files that are copied into worktrees. */
  readonly patterns?: readonly string[];
}
