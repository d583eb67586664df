import type { Check } from '../life/check.ts';
import { composerCases, shellMode } from './cases-composer.ts';
import { userDraft } from './cases-draft.ts';
import { interruptedCases } from './cases-interrupted.ts';
import { keysAfterSend } from './cases-keys.ts';
import { leftCases } from './cases-left.ts';
import { neighbourCases } from './cases-neighbours.ts';
import { nextCases } from './cases-next.ts';
import { queuedCases } from './cases-queued.ts';
import { streamCases } from './cases-streams.ts';
import { takenBackCases } from './cases-taken-back.ts';
import { windowCases } from './cases-windows.ts';

/**
 * What people do while messages come in, each case with an agent of its own. These run in the
 * published build, with the real spans: how long somebody waits is what they are about.
 */
export const peopleCases: readonly Check[] = [
  ...interruptedCases,
  ...queuedCases,
  ...nextCases,
  shellMode,
  keysAfterSend,
  userDraft,
  ...takenBackCases,
  ...windowCases,
].map(withOwnAgent);

/**
 * And these in a test build whose own spans are a fifth as long (src/shared/own-span.ts): they are
 * about where it ends. So are those of a model whose answers break.
 */
export const hastyCases: readonly Check[] = [
  ...leftCases,
  ...neighbourCases,
  ...composerCases,
  ...streamCases,
].map(withOwnAgent);

/** Whatever the case before left, in the ledger or on the screen, is not its concern. */
function withOwnAgent(check: Check): Check {
  return { ...check, hasOwnAgent: true };
}
