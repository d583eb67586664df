import { asObject, asText, type Json } from '../../shared/json.ts';
import { type Shape, shapeOfUnlisted } from '../record-form.ts';
import { isOutput } from './judge.ts';

/** The form of wire.jsonl (2.1.0). */
export function readShape(record: Json): Shape {
  const type = asText(record['type']) ?? '';
  if (type === 'context.append_message') {
    const message = asObject(record['message']);
    if (asText(message['role']) === undefined) return 'strange';
    const isPrompt = asObject(message['origin'])['kind'] === 'user';
    return isPrompt && Array.isArray(message['content']) ? 'prompt' : 'familiar';
  }
  if (type === 'context.append_loop_event') {
    const event = asObject(record['event']);
    if (isOutput(event)) {
      return asText(event['stepUuid']) === undefined ? 'strange' : 'answer';
    }
    return asText(event['type'])?.startsWith('step.') ? 'familiar' : shapeOfUnlisted(record);
  }
  return listed.test(type) ? 'familiar' : shapeOfUnlisted(record);
}

const listed =
  /^(?:agent|context|turn|prompt|token_counting|runtime|permission|plugin|interaction|subagent|llm|usage|tools?|config|profile)\.|^metadata$/;
