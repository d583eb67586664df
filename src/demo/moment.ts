import type { CrashWindow } from './report.ts';

/** Something that a person who watches the demo may want to see. */
export type Moment = Happening & {
  /** Since the start. */
  readonly atMs: number;
};

export type Happening =
  | {
      readonly what: 'started';
      readonly agent: string;
      readonly pid: number;
      readonly life: number;
    }
  | {
      readonly what: 'killed';
      readonly agent: string;
      /** Exactly there; without one, at a random moment. */
      readonly window?: CrashWindow;
    }
  | { readonly what: 'failed'; readonly agent: string; readonly why: string }
  | {
      readonly what: 'sent';
      readonly from: string;
      readonly to: string;
      readonly text: string;
      /** The ledger had it already, under the same key. */
      readonly duplicate: boolean;
    }
  /** One drain's copies that were marked as possible repeats. */
  | {
      readonly what: 'repeated';
      readonly agent: string;
      readonly texts: readonly string[];
      /** How many of them it had indeed got before. */
      readonly known: number;
    }
  /** Nobody is killed any more; all run until their inboxes are empty. */
  | { readonly what: 'calm' };
