import { asArray, asObject, asText, type Json } from '../../shared/json.ts';
import { type Shape, shapeOfUnlisted } from '../record-form.ts';

/** The form of events.jsonl (1.0.102). */
export function readShape(record: Json): Shape {
  const data = asObject(record['data']);
  const type = asText(record['type']) ?? '';
  if (record['agentId'] !== undefined || data['parentToolCallId'] !== undefined) return 'familiar';
  const isLinked = asText(data['interactionId']) !== undefined;
  if (type === 'user.message') {
    return isLinked && asText(data['content']) !== undefined ? 'prompt' : 'strange';
  }
  if (type === 'assistant.message') {
    const hasOutput =
      asText(data['content']) !== undefined || asArray(data['toolRequests']).length > 0;
    return isLinked && hasOutput ? 'answer' : shapeOfUnlisted(data);
  }
  return listed.test(type) ? 'familiar' : shapeOfUnlisted(record);
}

const listed =
  /^(?:session|hook|tool|system|permission|subagent|skill|assistant\.turn_\w+|assistant\.usage|abort)(?:\.|$)/;
