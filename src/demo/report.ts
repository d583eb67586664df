/** What an agent's program tells the observer over its stdout, one JSON line each, out before its next step begins. */
export type Report =
  | { readonly fact: 'started' }
  /** Asked to begin nothing new; it still answers what it gets. */
  | { readonly fact: 'resting' }
  /** `send` returned. `to` is whom the program asked for, not what the ledger made of it. */
  | {
      readonly fact: 'accepted';
      readonly id: string;
      readonly to: string;
      readonly text: string;
      /** The ledger had it already, under the same key. */
      readonly duplicate: boolean;
    }
  /** One drain's messages are in the program's hands; it has not confirmed them yet. */
  | { readonly fact: 'received'; readonly copies: readonly Copy[] };

export interface Copy {
  readonly id: string;
  readonly from: string;
  readonly text: string;
  /** This copy said that it may be a second one. */
  readonly repeat: boolean;
}

/** The crash windows that every run hits, by the fail-point that kills the program exactly there. */
export const crashWindows = [
  'drain.claimed',
  'drain.injected',
  'demo.received',
  'demo.sent',
] as const;
export type CrashWindow = (typeof crashWindows)[number];
