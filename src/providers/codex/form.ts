import { asObject, asText, type Json } from '../../shared/json.ts';
import { type Shape, shapeOfUnlisted } from '../record-form.ts';
import { isOutput } from './judge-rollout.ts';

/** The form of rollouts (0.166.0). */
export function readShape(record: Json): Shape {
  const payload = asObject(record['payload']);
  const type = asText(payload['type']) ?? '';
  switch (record['type']) {
    case 'response_item':
      if (isOutput(payload)) return 'answer';
      if (type === 'message' && said.has(payload['role'])) return 'familiar';
      return type.endsWith('_output') ? 'familiar' : shapeOfUnlisted(record);
    case 'event_msg':
      if (type === '') return shapeOfUnlisted(record);
      return asText(asObject(payload['item'])['type']) === 'UserMessage' ? 'prompt' : 'familiar';
    case 'session_meta':
    case 'turn_context':
    case 'compacted':
      return 'familiar';
    default:
      return shapeOfUnlisted(record);
  }
}

/** Who else than the model says something. */
const said = new Set<unknown>(['user', 'developer', 'system']);
