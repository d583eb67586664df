/** What `doctor` found. */
export interface DoctorReport extends LedgerReport {
  readonly terminals: TerminalsReport;
  readonly providers: Readonly<Record<string, ProviderReport>>;
  /**
   * Inboxes whose oldest message has been open for 3 minutes, or that a budget holds back. Exit
   * codes do not change by them.
   */
  readonly waiting: readonly WaitingInbox[];
  /**
   * Something to know that is no message: a detector file that is left out, an error of ours that
   * was caught.
   */
  readonly warnings: readonly Finding[];
  /** What CLIs ask a person; their agents wait. */
  readonly questions: readonly Finding[];
  /**
   * Worktrees that were kept when their agents went, or that a killed launch left. Nothing is wrong
   * with them.
   */
  readonly worktrees: readonly Finding[];
}

/**
 * Of the ledger alone. `attention` is dead letters and uncertain messages (exit 7); `problems` is
 * what is broken (exit 1).
 */
export interface LedgerReport {
  readonly ok: boolean;
  readonly ledger: {
    readonly path: string;
    readonly exists: boolean;
    readonly engine?: string;
    readonly id?: string;
    readonly schema?: number;
    readonly bytes?: number;
    /** Of them free, for what comes next. */
    readonly freeBytes?: number;
    /**
     * False: freed space stays in the file until `doctor --fix`, or a start of the daemon, has
     * written it anew.
     */
    readonly canShrink?: boolean;
    readonly agents?: number;
    readonly messages?: Readonly<Record<string, number>>;
  };
  readonly problems: readonly Finding[];
  readonly attention: readonly Finding[];
  readonly fixed: readonly string[];
}

export interface Finding {
  readonly what: string;
  readonly next: string;
}

export interface WaitingInbox extends Finding {
  readonly agent: { readonly id: string; readonly name: string };
  /** The oldest, and since when it has been open. */
  readonly message: string;
  readonly since: string;
  /** When a budget lets it go. */
  readonly until?: string;
}

/** Of the default backend. */
export interface TerminalsReport extends BackendReport {
  /** How many agents run in each backend, as far as the ledger knows. */
  readonly agents: Readonly<Record<string, number>>;
  /** Other backends that agents run in. */
  readonly others: readonly BackendReport[];
}

export interface BackendReport {
  readonly backend: string;
  /**
   * Undefined when it is not installed, or when a backend that has a server of its own does not
   * run.
   */
  readonly version?: string;
  /** What this version is known to crash on; signalbox never does it. */
  readonly crashes: readonly string[];
  /** What agents in it do without, and why. */
  readonly limits: readonly string[];
}

export interface ProviderReport {
  readonly path?: string;
  readonly version?: string;
  /** The version its rules were tested with. */
  readonly tested: string;
  /**
   * What it does in a team, as the lab has seen it in its own version; undefined: nothing was
   * tried.
   */
  readonly team?: TeamReport;
  /** The installed version is another than the tested one. */
  readonly warning?: Finding;
}

/** Supervisor and workers were all of this CLI. */
export interface TeamReport {
  readonly day: string;
  readonly version: string;
  readonly passed: number;
  readonly tried: number;
  readonly toolsWithoutDialog: boolean;
  /** From the end of a worker's answer to its supervisor's next model request, in the median. */
  readonly medianMs?: number;
  /** How long a handoff waits before the answer comes as a message. */
  readonly handoffMs: number;
  /** Ways in, best first. */
  readonly routes: readonly string[];
  readonly evidence: string;
  /** Cases that did not pass, each with what was seen. */
  readonly notPassed: Readonly<Record<string, string>>;
}
