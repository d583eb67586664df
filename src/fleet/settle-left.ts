import { settleInterruptions } from './interrupt/settle-interruptions.ts';
import type { FleetParts } from './parts.ts';
import { settleAnswers } from './questions/settle-answers.ts';

/**
 * Acts that a daemon was carrying when it was killed. A row without an outcome does not say whose
 * it is, so this is done before this daemon notes its first (`Fleet.settleLeft`).
 */
export async function settleLeft(
  parts: Pick<FleetParts, 'ledger' | 'surroundings'>,
): Promise<void> {
  await settleAnswers(parts);
  await settleInterruptions(parts);
}
