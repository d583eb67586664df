// Tests: src/delivery/open-delivery.test.ts.

import type { Ledger } from '../store/ledger.ts';
import type { Surroundings } from './claim.ts';

/** What delivery is made of. */
export interface DeliveryParts {
  readonly ledger: Ledger;
  readonly surroundings: Surroundings;
  readonly limits: DeliveryLimits;
  readonly log: {
    info(facts: object, text: string): void;
    warn(facts: object, text: string): void;
  };
  /** Whether a process still lives; for hooks that outlive their parent. */
  readonly isAlive: (pid: number) => boolean;
}

export interface DeliveryLimits {
  /** Consecutive blocks at turn boundaries (rule 19). */
  readonly blocks: number;
  /** Turns begun within an hour by what agents and signalbox write (rule 21). */
  readonly wakes: number;
  /** By scripts of the user. */
  readonly scripts: number;
  /** How long an agent without a route of its own is idle with mail before it is told (O13). */
  readonly noticeAfterMs: number;
}
