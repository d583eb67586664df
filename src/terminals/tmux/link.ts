/**
 * What the daemon's thread and the reader's thread say to each other. Plain data: it is copied from
 * one to the other.
 */
export type ToReader =
  | {
      readonly kind: 'ask';
      readonly id: number;
      readonly line: string;
      readonly isRaw: boolean;
      /**
       * The answer's first block names a new pane (`p%1 …`): it is watched before its first byte
       * comes.
       */
      readonly watch?: WatchOrder;
    }
  | ({ readonly kind: 'watch'; readonly pane: string } & WatchOrder)
  /** All terminals of that life, wherever they were. */
  | ({ readonly kind: 'unwatch' } & Pick<WatchOrder, 'agent' | 'epoch'>)
  | { readonly kind: 'follow'; readonly pane: string; readonly isOn: boolean }
  /** A line of ours for the pane's log. */
  | { readonly kind: 'note'; readonly pane: string; readonly text: string }
  /** The last news was taken; there may be more. */
  | { readonly kind: 'taken' }
  /** The connection is set up: every pane of ours is watched, what is not watched is over. */
  | { readonly kind: 'settled' }
  /** The connection could not be set up. */
  | { readonly kind: 'reconnect' }
  | { readonly kind: 'close' };

export interface WatchOrder {
  readonly agent: string;
  readonly epoch: number;
  readonly logPath: string;
}

export type FromReader =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer }
  | ({ readonly kind: 'news' } & News)
  | {
      readonly kind: 'connected';
      readonly version: string;
      readonly hub: string;
      readonly tmux: string;
    }
  | { readonly kind: 'lost'; readonly reason: string; readonly fault?: FaultText }
  /** A mistake of ours that it caught: only the daemon can keep it. */
  | { readonly kind: 'bug'; readonly place: string; readonly error: unknown }
  | { readonly kind: 'closed' };

export type Answer =
  | { readonly outcome: 'answered'; readonly blocks: readonly AnswerBlock[] }
  /** Nothing was sent: there is no connection. */
  | { readonly outcome: 'unsent' }
  /** It was sent, and the connection was lost: it may have been done. */
  | { readonly outcome: 'unknown' };

export interface AnswerBlock {
  readonly isError: boolean;
  readonly text: string;
}

/** What happened since the last news, put together: it stays small however long nobody takes it. */
export interface News {
  readonly isChanged: boolean;
  readonly outputs: readonly (readonly [agent: string, bytes: number])[];
  readonly followed: readonly Followed[];
  readonly troubles: readonly (readonly [agent: string, trouble: string | undefined])[];
}

export interface Followed {
  readonly pane: string;
  /** Lost before the bytes. */
  readonly lost: number;
  readonly bytes: Uint8Array;
}

/** A Fault on its way between threads. */
export interface FaultText {
  readonly code: string;
  readonly message: string;
  readonly next: string;
}
