import type { AgentName } from './agents.ts';

export interface LaunchRequest {
  /**
   * A provider, or a profile as the folder `cwd` finds it; `profile:<name>` is never a provider.
   */
  readonly provider: string;
  readonly name?: string;
  readonly session?: string;
  readonly parent?: string;
  readonly notify: boolean;
  readonly cwd: string;
  readonly model?: string;
  /**
   * The backend that its terminal is to live in; without one, its launcher's environment, its
   * parent's or the default.
   */
  readonly terminal?: string;
  /** A git worktree of its own, made from `cwd`. */
  readonly worktree?: boolean;
  /** What a person wrote after `--`. */
  readonly extraArgs: readonly string[];
  /** The environment of whoever launches; the daemon filters it (rule 40) and writes it nowhere. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * The umask of whoever launches, as octal digits; without one, 0077. Of an agent's own request it
   * does not count: its child gets the one that it was launched with.
   */
  readonly umask?: string;
  /** `--env K=V`. */
  readonly extraEnv: Readonly<Record<string, string>>;
  /** Committed as the agent's first message. */
  readonly message?: string;
}

export interface RestartRequest {
  /** Do not resume the conversation. */
  readonly fresh: boolean;
  readonly env: Readonly<Record<string, string>>;
  /** Only for an agent from before umasks were kept: every other one has its own. */
  readonly umask?: string;
}

export interface StopView extends AgentName {
  readonly outcome: 'stopped' | 'already';
  readonly exitCode?: number;
  readonly exitSignal?: string;
  /** Processes that had to be killed one by one. */
  readonly killed: number;
}

export type OutputMode = 'screen' | 'full' | 'last';

export interface OutputView {
  readonly agent: AgentName;
  readonly mode: OutputMode;
  readonly text: string;
  /**
   * `partial`: its start is lost, or its end is to come; `none`: the agent finished without text,
   * or has not answered yet; `unknown`: nobody can tell which of its words are an answer.
   */
  readonly response: 'complete' | 'partial' | 'none' | 'unknown';
  readonly searched: readonly string[];
}

/** One piece of raw output: base64, or how many bytes were dropped in its place. */
export interface OutputPiece {
  readonly bytes?: string;
  readonly lost?: number;
}

export interface AttachRequest {
  /** Whether the person is inside a terminal of the backend already is told by these. */
  readonly env: Readonly<Record<string, string>>;
}

export interface AttachView {
  readonly agent: AgentName;
  /**
   * For scripts. signalbox itself makes its own of `kind` and `ids`, and runs nothing that it is
   * told.
   */
  readonly argv: readonly string[];
  readonly kind: 'tmux' | 'herdr';
  /**
   * tmux: `target`. herdr: `tab`, `terminal`, and `session` unless it is the one that herdr finds
   * by itself.
   */
  readonly ids: Readonly<Record<string, string>>;
}

export interface HookResult {
  /** `ignored`: of an earlier life, of a sub-agent, of a stranger, or not to be read. */
  readonly outcome: 'taken' | 'ignored' | 'late';
  readonly reason?: string;
}
