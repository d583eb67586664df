import type { HookReply } from './way-in.ts';

/**
 * What a CLI asks a person before it goes on, where it has a channel of its own for the answer
 * (rule 23): a hook that it runs and waits for, an app-server, an API, a file. Never a key. The
 * provider tells what is open and carries one decision; it decides nothing. Who may decide, and
 * that the decision is about exactly what was shown, is the fleet's affair.
 */
export interface CliQuestion {
  /**
   * The CLI's own name for this request. Two requests of one channel never have the same; where the
   * CLI counts anew (Codex 0.166.0 after a restart of its server), the channel adds what tells them
   * apart.
   */
  readonly key: string;
  readonly asks: AskedFor;
  /**
   * All that a person must know to decide, whole and in the CLI's own words, one fact a line: the
   * tool, its input, the folder, the reason. As the CLI wrote it: neutralised where it is shown.
   */
  readonly text: string;
  /** What can be answered here; without `deny` the CLI has shown no way to say no. */
  readonly decisions: readonly Decision[];
  /** A sub-agent of it asks (rule 38). */
  readonly isSubAgents?: true;
}

/**
 * What `allow` would permit this once: to run a command, to change files, or to use another tool.
 * What is not known for certain is `tool`.
 */
export type AskedFor = 'command' | 'edit' | 'tool';

/** Once, for this request alone. Decisions that hold for longer are made at the terminal. */
export type Decision = 'allow' | 'deny';

export type Decided =
  /** The CLI itself has confirmed it. */
  | { readonly outcome: 'taken' }
  /** It was answered elsewhere, or withdrawn; nothing was done. */
  | { readonly outcome: 'gone' }
  /** Nothing has reached the CLI; the question is still open. */
  | { readonly outcome: 'refused'; readonly reason: string }
  /** It was sent, and nothing tells what became of it. */
  | { readonly outcome: 'unknown'; readonly reason: string };

/** The questions of one life of an agent. It is closed with the life, and it never throws. */
export interface QuestionChannel {
  /** Those that are open now, the oldest first. Cheap: asked at every look. */
  readonly open: readonly CliQuestion[];
  /**
   * Whether nothing can be known now, such as while a server is gone: what was open may still be.
   */
  readonly isBlind: boolean;
  /** Answers exactly this request. One that is no longer open is `gone`. */
  decide(key: string, decision: Decision, signal: AbortSignal): Promise<Decided>;
  close(): void;
}

/**
 * Whether the CLI itself shows that it has taken our decision, or another's; undefined while
 * nothing does.
 */
export type FindDecision = (decision: Decision) => Promise<'taken' | 'gone' | undefined>;

/** A question that is a hook of the CLI: its process waits, and what it prints is the answer. */
export interface HookQuestion extends Omit<CliQuestion, 'key'> {
  readonly reply: (decision: Decision) => HookReply;
}
