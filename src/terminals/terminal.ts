/** The durable identity of one terminal, kept in the ledger as its JSON text. */
export interface Terminal {
  /** The agent's id, which the terminal itself carries, beside the ledger's. */
  readonly agent: string;
  readonly epoch: number;
  /** The backend server's own identity: pane ids begin anew with a new server. */
  readonly server: string;
  readonly pane: string;
  readonly pid: number;
  /** Start time of that pid, so that a reused pid is nobody we know. */
  readonly startedAt: string;
}

/** Of a new terminal; the window of whoever attaches may change it. */
export const launchSize = { columns: 120, rows: 40 };

export interface WantedTerminal {
  readonly agent: string;
  readonly epoch: number;
  /** The agent's name: what a person sees. */
  readonly name: string;
  /** The same in a text: in full where other agents have it. */
  readonly called: string;
  /** Executed as it is; no shell reads it. */
  readonly argv: readonly string[];
  /** The whole environment, not additions. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Its programs, and its helpers, start under this one, whatever the backend's own is. */
  readonly umask: number;
  readonly columns: number;
  readonly rows: number;
  /** Raw output goes to this file, rotated. */
  readonly logPath: string;
  /** Programs that the agent needs beside it, in its own terminal session; started first. */
  readonly helpers: readonly TerminalHelper[];
}

export interface TerminalHelper {
  readonly name: string;
  readonly argv: readonly string[];
  /** The agent is started once this path exists, or when the deadline has passed. */
  readonly readyPath?: string;
  /** The whole environment; its agent's where none is given. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A helper that is started while its agent runs. */
export interface WantedHelper extends TerminalHelper {
  /** The whole environment: that of its agent. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly umask: number;
}

/** One terminal as the backend sees it now. */
export interface TerminalSight {
  readonly terminal: Terminal;
  /** False when the program ended and the terminal still shows its last screen. */
  readonly isAlive: boolean;
  readonly exitCode?: number;
  readonly exitSignal?: string;
  /** A person killed its own session; it lives on without one until it is re-homed. */
  readonly isHomeless: boolean;
  /**
   * The agent's own terminal is gone and only helpers are left of that life: the terminal names the
   * life alone.
   */
  readonly isHelpersOnly?: boolean;
  readonly title: string;
}

/**
 * Names a life without a terminal: for closing what stands beside one that is gone, or never was.
 */
export function lifeOnly({ agent, epoch }: Pick<Terminal, 'agent' | 'epoch'>): Terminal {
  return { agent, epoch, server: '', pane: '', pid: 0, startedAt: '' };
}
