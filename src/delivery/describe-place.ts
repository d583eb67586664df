// Tests: src/protocol/next-step.test.ts, src/delivery/follow-evidence-left.test.ts.

import type { WaitReason } from '../messages/wait-reason.ts';
import type { Finding } from '../providers/way-in.ts';
import type { RecipientView } from './recipient.ts';

/** Where a message that is on its way in stands; undefined when its state says it all. */
export function describePlace(
  { found, because, isLeft, isInterrupted, isUnrecognised, evidence }: Finding,
  { atRestSince, composer }: Pick<RecipientView, 'atRestSince' | 'composer'>,
): WaitReason | undefined {
  const isAtRest = atRestSince !== undefined;
  if (isUnrecognised) return { code: 'unproven', evidence };
  switch (found) {
    case 'held':
      if (isLeft) return { code: 'queued-in-left-conversation' };
      return { code: isAtRest ? 'queue-paused' : 'queued-behind-turn' };
    case 'landed':
      if (isLeft) return { code: 'landed-in-left-conversation' };
      return { code: isInterrupted ? 'landed-interrupted' : 'landed' };
    case 'removed':
      return because === 'interrupted' ? { code: 'taken-out' } : undefined;
    case 'none':
    case 'unknown':
      if (!isAtRest) return undefined;
      return { code: composer === 'draft' ? 'draft-may-be-it' : 'no-record-yet' };
    case 'seen':
    case 'absent':
      return undefined;
  }
}
