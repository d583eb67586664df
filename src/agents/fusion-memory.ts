import { detailOf } from './remember-turn.ts';
import type { StatusSource, StatusView } from './status.ts';

/** What must be known of the past: it goes in and comes out with each judgement. */
export interface FusionMemory {
  /** Monotonic. */
  readonly startedAt: number;
  /** A source has been heard that can be trusted. */
  readonly isReady: boolean;
  readonly hadTurn: boolean;
  readonly isInTurn: boolean;
  /** When the last turn was first seen; what is older tells nothing about it. */
  readonly turnAt: number;
  /**
   * Of the newest word that a screen has contradicted: a hook's of that time, or older, is not
   * believed again.
   */
  readonly overruledAt: number;
  /** When a screen last showed work against an own state at rest. */
  readonly doubtedAt: number;
  readonly failure?: { readonly detail?: string; readonly source: StatusSource };
  readonly view?: StatusView;
}

/** For a new life, or one that was found again: then `last` is what the ledger says about it. */
export function createFusionMemory(life: {
  readonly startedAt: number;
  readonly last?: StatusView;
}): FusionMemory {
  const { startedAt, last } = life;
  const isInTurn = last?.status === 'processing' || last?.status === 'waiting';
  const hadTurn = last !== undefined && ['processing', 'completed', 'error'].includes(last.status);
  const isReady = hadTurn || last?.status === 'idle' || last?.status === 'waiting';
  const failure = last?.status === 'error' ? { source: last.source, ...detailOf(last) } : undefined;
  return {
    startedAt,
    isReady,
    hadTurn,
    isInTurn,
    turnAt: Number.NEGATIVE_INFINITY,
    overruledAt: Number.NEGATIVE_INFINITY,
    doubtedAt: Number.NEGATIVE_INFINITY,
    ...(failure ? { failure } : {}),
    ...(last ? { view: last } : {}),
  };
}
