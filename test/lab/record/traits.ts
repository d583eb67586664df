import type { Composer } from '../../../src/agents/status.ts';
import type { Scenario } from './scenario.ts';

/** Where the CLIs differ in what they all can do. */
export interface Traits {
  /** What an empty composer shows, typed as a draft; unset where it shows nothing. */
  readonly placeholder?: string;
  /** What stands for a long paste; unset where the paste itself is shown. */
  readonly pasted?: RegExp;
  /** What can be told of a draft of spaces with the cursor at its start; `unknown` unless told. */
  readonly spacesAtHome?: Composer;
  /** What can be proven about an empty composer while a turn runs. */
  readonly busyComposer: Composer;
  /** The question before a shell command. */
  readonly permission: RegExp;
  /** What of a queued prompt is shown. */
  readonly queued: RegExp;
  /**
   * What shows that a long answer is well under way, where it is drawn in leaps; its 900th word
   * unless told.
   */
  readonly streamedFar?: RegExp;
  readonly error401: RegExp;
  /** The end of all tries; unset where it comes after minutes. */
  readonly error500?: RegExp;
  /** Answers that look like what the CLI itself draws, by name; `\n` is a new line. */
  readonly forgeries: Readonly<Record<string, string>>;
  /** Makes it give up early, where it can be told to. */
  readonly fewRetries?: Pick<Scenario, 'args' | 'env' | 'files'>;
}
