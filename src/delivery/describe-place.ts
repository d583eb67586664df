// Tests: src/protocol/next-step.test.ts, src/delivery/follow-evidence-left.test.ts.

import type { WaitReason } from '../messages/wait-reason.ts';
import type { Finding } from '../providers/way-in.ts';
import type { RecipientView } from './recipient.ts';

/** Where a message that is on its way in stands; undefined when its state says it all. */
export function describePlace(
  finding: Finding,
  view: Pick<RecipientView, 'atRestSince' | 'composer' | 'status'>,
): WaitReason | undefined {
  const { found, because, isLeft, isInterrupted, isUnrecognised, evidence } = finding;
  const isAtRest = view.atRestSince !== undefined;
  // A first answer that was broken off shows no form of the records, for a reason that we know.
  const isExplained = found === 'landed' && isInterrupted && !isLeft;
  if (isUnrecognised && !isExplained && found !== 'held') return { code: 'unproven', evidence };
  switch (found) {
    case 'held':
      if (isLeft) return { code: 'queued-in-left-conversation' };
      return { code: isAtRest ? 'queue-paused' : 'queued-behind-turn' };
    case 'landed':
      if (isLeft) return { code: 'landed-in-left-conversation' };
      if (isPutBack(finding, view)) return { code: 'put-back' };
      // Neither in the conversation nor known to be out of it.
      if (finding.isBeingTakenOut) return undefined;
      return { code: isInterrupted ? 'landed-interrupted' : 'landed' };
    case 'removed':
      return because === 'interrupted' ? { code: 'taken-out' } : undefined;
    case 'none':
    case 'unknown':
      if (!isAtRest) return undefined;
      return { code: view.composer === 'draft' ? 'draft-may-be-it' : 'no-record-yet' };
    case 'seen':
    case 'absent':
      return undefined;
  }
}

/**
 * It rests without an answer, no failure explains that, and a draft stands there: somebody has
 * pressed Esc (rule 51d). The record of the prompt stays (Claude Code 2.1.325), although the next
 * request is without it.
 */
function isPutBack(
  { isTakenBackByEsc, isInterrupted }: Finding,
  { atRestSince, composer, status }: Pick<RecipientView, 'atRestSince' | 'composer' | 'status'>,
): boolean {
  if (!isTakenBackByEsc || isInterrupted || atRestSince === undefined) return false;
  return composer === 'draft' && status !== 'error';
}
