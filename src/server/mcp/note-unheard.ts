import type { Agent } from '../../agents/agent.ts';
import { tellBroken } from '../../requests/tell-broken.ts';
import { tellUnwoken } from '../../requests/tell-unwoken.ts';
import type { Call, Outcome } from './tool.ts';

/**
 * A model that has sent something learns, as a person does, that its recipient may not hear of it
 * for a while: what wakes it is broken (rule 53), or nothing does.
 */
export function noteUnheard(
  { context: { live } }: Call,
  recipient: Agent,
  outcome: Outcome,
  isRepeat = false,
): Outcome {
  const { document, text } = outcome;
  const broken = tellBroken(live, recipient);
  if (broken !== undefined) {
    return { ...outcome, document: { ...document, broken }, text: [...text, `${broken}.`] };
  }
  // What was sent before may have gone in long ago.
  const unwoken = isRepeat ? undefined : tellUnwoken(live, recipient);
  if (unwoken === undefined) return outcome;
  return { ...outcome, document: { ...document, unwoken }, text: [...text, unwoken] };
}
