import type { CliName } from '../versions.ts';

/** What one version of a CLI did, as `run-one.ts` writes it down. */
export interface CertifyRun {
  readonly cli: CliName;
  readonly version: string;
  /** As in 2026-11-18. */
  readonly day: string;
  /** Whether nothing could leave the machine while it ran. */
  readonly isNetworkClosed: boolean;
  /** By the scenario's name. */
  readonly screens: Readonly<Record<string, ScreenResult>>;
  /** By the case's name. */
  readonly cases: Readonly<Record<string, CaseResult>>;
  /** How often each hook of ours was called. */
  readonly hooks: Readonly<Record<string, number>>;
}

/** What the detector made of a state that was proven without the screen. */
export type ScreenResult =
  | {
      readonly kind: 'read';
      readonly isRight: boolean;
      /** It says "at rest" during work or a question, or "empty" of what is not. */
      readonly isDangerous: boolean;
      /** Of every frame, without repeats: `processing, composer empty`. */
      readonly says: readonly string[];
      readonly rules: readonly string[];
    }
  /** The lab's own hands did not find their way: the screen has changed, or the keys have. */
  | { readonly kind: 'undriven'; readonly reason: string };

export interface CaseResult {
  readonly part: 'delivery' | 'records' | 'people';
  readonly kind: 'passed' | 'failed' | 'spared';
  readonly reason?: string;
  /** A case that fails is tried once more, in a life of its own. */
  readonly tries: number;
}
