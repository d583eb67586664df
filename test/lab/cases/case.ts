import type { HomeWish } from '../homes/home-wish.ts';
import type { CliName } from '../versions.ts';

/**
 * What the lab must know of one CLI to take it through its life: how a person works it, and what signalbox must say
 * meanwhile. A prompt is pasted, and Enter follows 300 ms later; keys have tmux's names.
 */
export interface LabCase {
  readonly name: CliName;
  readonly wish: Omit<HomeWish, 'mockUrl'>;
  /** More environment than the home's, for example fewer retries. */
  readonly env: Readonly<Record<string, string>>;
  readonly slow: Exchange;
  /** Its tool touches `file`, which must not be there while the question stands, nor after a no. */
  readonly permission: Exchange & {
    readonly file: string;
    readonly detail: string;
    /** Leaves the tool unrun and the composer empty. */
    readonly denyKeys: readonly string[];
  };
  /** The model's API refuses. */
  readonly failure: {
    readonly prompt: string;
    readonly detail: RegExp;
    /** Retries included. */
    readonly withinMs: number;
  };
  /** Before the next prompt the refused one is put away, so that it does not ride along. */
  readonly afterFailure: readonly string[];
  /** A turn that is broken off: long enough to be seen, and the keys that end it. */
  readonly interrupt: { readonly prompt: string; readonly keys: readonly string[] };
  /** Typed like a prompt. */
  readonly exit: { readonly text: string; readonly code: number };
  /** Can be launched again in the same conversation. */
  readonly resumes: boolean;
  /** Arguments without which it does not ask whether to trust a folder. */
  readonly trustArgs?: readonly string[];
  /** Checks that this CLI cannot be asked for, by name, each with its reason. */
  readonly spares?: Readonly<Record<string, string>>;
}

export interface Exchange {
  readonly prompt: string;
  /** What `output --last` gives afterwards. */
  readonly answer: string;
}
