import type { Agent } from '../../agents/agent.ts';
import { tellBroken } from '../tell-broken.ts';
import type { Call, Outcome } from './tool.ts';

/** A model that has sent something learns, as a person does, that its recipient may not hear of it for a while (rule 53). */
export function noteBroken({ parts }: Call, recipient: Agent, outcome: Outcome): Outcome {
  const broken = tellBroken(parts, recipient);
  if (broken === undefined) return outcome;
  const { document, text } = outcome;
  return { ...outcome, document: { ...document, broken }, text: `${text}\n${broken}.` };
}
