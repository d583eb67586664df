// Tests: src/delivery/pick-route.test.ts, src/agents/fuse-status.test.ts.

import type { WaitReason } from '../messages/wait-reason.ts';
import type { SmallWindow } from './status.ts';

/** Why nothing is known of a composer, as a reason to wait. */
export function explainSmall({ has, needs }: SmallWindow): WaitReason {
  return {
    code: 'window-too-small',
    ...has,
    needsColumns: needs.columns,
    needsRows: needs.rows,
  };
}
