// Tests: src/delivery/routes/paste.test.ts, src/delivery/waiters.test.ts.

import type { WaitReason } from '../messages/wait-reason.ts';

/**
 * One act of a route, and what it came to, as a provider's own (`Injected`) but with reasons that
 * have a code. `refused`: certainly nothing has reached the CLI. `unknown`: something may have.
 */
export type Carried =
  | { readonly outcome: 'taken'; readonly receipt?: string }
  | { readonly outcome: 'refused'; readonly reason: WaitReason }
  | { readonly outcome: 'unknown'; readonly reason: WaitReason };
