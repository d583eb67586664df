import type { CliName } from '../versions.ts';

/**
 * What the lab must know of one CLI to take it through its life: how a person works it. What is
 * asked of it and what must come of that is the same for all (life/checks). Keys have tmux's names.
 */
export interface LabCase {
  readonly name: CliName;
  /** More environment than the home's, for example fewer retries. */
  readonly env?: Readonly<Record<string, string>>;
  /** Answer a permission with no: the tool stays unrun and the composer is empty again. */
  readonly denyKeys: readonly string[];
  /** End a turn. */
  readonly interruptKeys: readonly string[];
  /** What stands on the screen between two of these keys: only then does the next one count. */
  readonly interruptHint?: RegExp;
  /** When the model's API refuses with a 401. */
  readonly failure: {
    /** What the status says of it. */
    readonly detail: RegExp;
    /** Retries included. */
    readonly withinMs: number;
    /**
     * Commands that put the refused prompt away, so that it does not ride along with the next one.
     */
    readonly after: readonly string[];
  };
  /** Typed like a prompt. */
  readonly exit: string;
  /** Arguments without which it does not ask whether to trust a folder. */
  readonly trustArgs?: readonly string[];
  /** Checks that this CLI cannot be asked for, by name, each with its reason. */
  readonly spares?: Readonly<Record<string, string>>;
}
