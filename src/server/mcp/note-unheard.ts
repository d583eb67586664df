import type { Agent } from '../../agents/agent.ts';
import { tellBroken } from '../../requests/parts/tell-broken.ts';
import type { Call, Outcome } from './tool.ts';

/**
 * A model that has sent something learns, as a person does, that its recipient may not hear of it
 * for a while: what wakes it is broken (rule 53), or nothing does (`unwoken`, in words).
 */
export function noteUnheard(
  { context: { live } }: Call,
  recipient: Agent,
  outcome: Outcome,
  unwoken: string | undefined,
): Outcome {
  const { document, text } = outcome;
  const broken = tellBroken(live, recipient);
  if (broken !== undefined) {
    return { ...outcome, document: { ...document, broken }, text: [...text, `${broken}.`] };
  }
  if (unwoken === undefined) return outcome;
  return { ...outcome, document: { ...document, unwoken }, text: [...text, unwoken] };
}
