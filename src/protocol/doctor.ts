/** What `doctor` found. `attention` is what a person should look at; `problems` is what is broken. */
export interface DoctorReport {
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
