import type { AgentName } from './agents.ts';
import type { MessageView } from './messages.ts';

/** An assign: to an agent that lives, or to a profile or provider from which one is launched. */
export interface TaskRequest {
  readonly to: string;
  readonly task: string;
  readonly key?: string;
  /** Of an agent that is launched for it. */
  readonly name?: string;
  readonly session?: string;
  readonly cwd: string;
  readonly worktree?: boolean;
  readonly model?: string;
  readonly env: Readonly<Record<string, string>>;
  /** Of an agent that is launched for it, as at a launch. */
  readonly umask?: string;
}

export interface TaskView {
  /** The message; it is owed an answer. */
  readonly task: string;
  readonly agent: AgentName;
  readonly launched: boolean;
  readonly duplicate: boolean;
  /** It went to an agent that runs; this names the profile or provider of the same name. */
  readonly also?: string;
  /** It waits, because no message wakes that agent at rest: why, until when, and what helps. */
  readonly unwoken?: string;
  /**
   * Of an agent that was launched for it: what a person should know, such as what was left out of
   * its profile.
   */
  readonly notes?: readonly string[];
}

export interface AnswerView {
  readonly task: string;
  readonly agent: AgentName;
  /**
   * `answered`; `unanswered` (it was reminded and rests), `exited`, `dead` (the task never
   * arrived), `removed`; `pending`: the time is over and the answer will come as a message;
   * `elsewhere`: it has come as one.
   */
  readonly outcome:
    | 'answered'
    | 'unanswered'
    | 'exited'
    | 'dead'
    | 'removed'
    | 'pending'
    | 'elsewhere';
  /** The message that says so. */
  readonly message?: MessageView;
  /** To be confirmed once it is printed; without that it is offered again. */
  readonly handOver?: string;
}

/** One task that an agent owes an answer. */
export interface DebtView {
  readonly task: string;
  readonly to: AgentName;
  readonly since: string;
  readonly reminded?: true;
}
