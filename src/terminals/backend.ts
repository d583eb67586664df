import type { AgentStatus } from '../agents/agent.ts';
import type { Terminal, TerminalSight, WantedHelper, WantedTerminal } from './terminal.ts';
import type { KeyObstacle, PeopleNotice, PreparedWrite, WriteOptions, Written } from './writing.ts';

/**
 * Where agents' terminals live: the port that tmux and herdr stand behind. A backend finds
 * terminals by an identity that it keeps itself, acts on a terminal only under that identity, and
 * never guesses: what is not found is `gone`.
 */
export interface Backend {
  readonly name: string;
  /**
   * What it can tell and do; where that depends on the version behind it, known once it is ready.
   */
  readonly capabilities: BackendCapabilities;
  /**
   * Starts or finds the server and connects; resolves when it can be used. From then on it
   * reconnects by itself.
   */
  start(): Promise<void>;
  state(): BackendState;
  launch(wanted: WantedTerminal, signal?: AbortSignal): Promise<Terminal>;
  /**
   * Starts a helper of a running agent once more, beside it. `running`: one of its helpers still
   * runs, and nothing was started. Throws a Fault when it cannot be started.
   */
  startHelper(terminal: Terminal, helper: WantedHelper): Promise<'started' | 'running' | 'gone'>;
  /**
   * Everything of this ledger that is there, dead terminals included. Throws when the backend
   * cannot be asked.
   */
  list(): Promise<readonly TerminalSight[]>;
  look(terminal: Terminal, options?: LookOptions): Promise<Look | 'gone'>;
  /** Plain text of scrollback and screen, its last `maxBytes`. */
  readText(terminal: Terminal, maxBytes: number): Promise<PlainText | 'gone'>;
  /** Bytes into the program's input, exactly, guarded by the identity. */
  write(terminal: Terminal, bytes: Buffer, options?: WriteOptions): Promise<Written>;
  /**
   * The same in two steps, where the first takes some of the time: bytes lie beside the terminal,
   * and the program knows nothing of them, until they are written or dropped. Undefined for bytes
   * for which that is no way.
   */
  prepare?(terminal: Terminal, bytes: Buffer, options?: WriteOptions): PreparedWrite | undefined;
  /**
   * Shows words of ours to the people who look at this terminal, in their own clients; resolves
   * with how many were told. The program sees nothing of it.
   */
  tell?(terminal: Terminal, notice: PeopleNotice): Promise<number>;
  /**
   * Raw output from now on, bounded: what cannot be kept up with is dropped and reported as a gap.
   * Returns the unfollow.
   */
  follow(terminal: Terminal, listener: (chunk: OutputChunk) => void): () => void;
  /** Gives a terminal whose own session a person killed a session again. */
  rehome(terminal: Terminal, name: string): Promise<'rehomed' | 'gone'>;
  /**
   * Closes the terminal, and its helpers', also where the terminal itself is gone. Programs may
   * survive that: ending their process trees is the fleet's work.
   */
  closeTerminal(terminal: Terminal): Promise<void>;
  /**
   * Shows a person who looks at the backend itself what an agent does; told again whenever it
   * changes.
   */
  report?(terminal: Terminal, status: AgentStatus, more?: MoreShown): void;
  /** The same of everybody: these agents, in whatever backend, wait for a person. */
  reportWaiting?(agents: ReadonlySet<string>): void;
  /**
   * The command a person runs to go there, from outside or from inside a terminal of this backend.
   */
  attachCommand(terminal: Terminal, env: NodeJS.ProcessEnv): AttachCommand | 'gone';
  /** Disconnects and leaves every terminal running. */
  close(): Promise<void>;
}

/** What whoever looks at a terminal is told beside its agent's status. */
export interface MoreShown {
  /** In full, with its session. */
  readonly name: string;
  /** Of the status. */
  readonly detail?: string | undefined;
}

interface BackendCapabilities {
  readonly cursor: boolean;
  readonly humanTyping: boolean;
  readonly exitCodes: boolean;
  readonly styles: boolean;
  /**
   * What is printed reaches the log and whoever follows; without it, `output` is a hint that
   * something may have changed.
   */
  readonly rawOutput: boolean;
  /** `no`: nothing is ever typed into a terminal. `text`: only what is valid UTF-8. */
  readonly typing: 'bytes' | 'text' | 'no';
  /** Bytes and the Enter behind them can be one command (`WriteOptions.withEnter`). */
  readonly enterInOne: boolean;
  /** A terminal has the size that was wanted. */
  readonly size: boolean;
  /** Lines of scrollback that can be read. */
  readonly scrollback: number;
}

export interface BackendState {
  readonly state: 'connecting' | 'ready' | 'down';
  /** Of the program behind it, for example `3.3a`. */
  readonly version?: string;
  readonly detail?: string;
}

/**
 * Told by the backend; terminals are named by their agent's id; each is a hint that is confirmed by
 * `list` or `look`.
 */
export interface BackendEvents {
  /**
   * Something was printed; coalesced to at most one per 20 ms and terminal. `bytes` since the last
   * one.
   */
  readonly output: (agent: string, bytes: number) => void;
  /** Terminals came, went, moved or died: time to reconcile. */
  readonly changed: () => void;
  /**
   * The backend's own idea of what an agent does; undefined when it has none any more. Told when it
   * changes.
   */
  readonly native: (agent: string, native: NativeStatus | undefined) => void;
  /** Connected (again), or lost. After a loss everything is reconciled. */
  readonly connection: (state: BackendState) => void;
  /** A log of raw output cannot be written, or can again. */
  readonly logTrouble: (agent: string, trouble: string | undefined) => void;
}

export interface NativeStatus {
  readonly status: 'idle' | 'working' | 'blocked';
  /**
   * The CLI itself said so, through its integration with the backend. Otherwise the backend has
   * matched screens: then `idle` may only mean that nothing matched.
   */
  readonly isOwnWord: boolean;
}

export interface LookOptions {
  /** With escape sequences for colours and weight, dearer: for detectors that need them. */
  readonly styled?: boolean;
}

export interface Look {
  /** Rows of text without trailing blanks, as the backend's emulator has rendered them. */
  readonly lines: readonly string[];
  /** The same rows with SGR sequences, when asked for. */
  readonly styledLines?: readonly string[];
  readonly title: string;
  /** Absent where the backend cannot tell. */
  readonly cursor?: { readonly x: number; readonly y: number };
  readonly columns: number;
  readonly rows: number;
  readonly isAlive: boolean;
  readonly exitCode?: number;
  readonly exitSignal?: string;
  /** Why keys would not reach the program, or not it alone, at the moment of the look. */
  readonly obstacle?: KeyObstacle;
  /**
   * Wall seconds of the last key a person pressed while looking at this terminal; undefined when
   * nobody ever was there.
   */
  readonly humanKeyAt?: number;
  /**
   * How many people's clients show this terminal at the moment of the look; absent where the
   * backend cannot tell.
   */
  readonly watchers?: number;
  /**
   * Becomes another one with the next key of a person in this terminal, and when somebody comes to
   * look, at a resolution of a second. Only compared (`WriteGuard.untypedSince`). Absent where the
   * backend cannot tell.
   */
  readonly typingStamp?: string;
}

export interface PlainText {
  readonly text: string;
  /** The start was pushed out of the scrollback or cut by the bound. */
  readonly isPartial: boolean;
}

export type OutputChunk =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  /** `lost` is 0 when nobody knows how much: the connection was lost. */
  | { readonly kind: 'gap'; readonly lost: number };

export interface AttachCommand {
  readonly argv: readonly string[];
  /** What the command is made of: whoever runs one makes it of these, with programs of its own. */
  readonly kind: 'tmux' | 'herdr';
  readonly ids: Readonly<Record<string, string>>;
}
