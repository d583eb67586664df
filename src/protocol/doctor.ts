/** What `doctor` found. */
export interface DoctorReport extends LedgerReport {
  readonly terminals: TerminalsReport;
  readonly providers: Readonly<Record<string, ProviderReport>>;
  /** What CLIs ask a person; their agents wait. */
  readonly questions: readonly Finding[];
  /** Worktrees that were kept when their agents went, or that a killed launch left. Nothing is wrong with them. */
  readonly worktrees: readonly Finding[];
}

/** Of the ledger alone. `attention` is what a person should look at; `problems` is what is broken. */
export interface LedgerReport {
  readonly ok: boolean;
  readonly ledger: {
    readonly path: string;
    readonly exists: boolean;
    readonly engine?: string;
    readonly id?: string;
    readonly schema?: number;
    readonly bytes?: number;
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

export interface TerminalsReport {
  readonly backend: string;
  /** Undefined when it is not installed. */
  readonly version?: string;
  /** What this version is known to crash on; signalbox never does it. */
  readonly crashes: readonly string[];
}

export interface ProviderReport {
  readonly path?: string;
  readonly version?: string;
  /** The version its rules were tested with. */
  readonly tested: string;
}
