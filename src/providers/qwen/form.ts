import { asArray, asObject, asText, type Json } from '../../shared/json.ts';
import { type Shape, shapeOfUnlisted } from '../record-form.ts';

/** The form of chat files (0.24.4). */
export function readShape(record: Json): Shape {
  const { parts } = asObject(record['message']);
  switch (record['type']) {
    case 'user':
      return Array.isArray(parts) ? 'prompt' : 'strange';
    case 'assistant':
      return asArray(parts).some(isOutput) ? 'answer' : shapeOfUnlisted(record);
    case 'tool_result':
    case 'system':
      return 'familiar';
    default:
      return shapeOfUnlisted(record);
  }
}

function isOutput(part: unknown): boolean {
  const { text, functionCall } = asObject(part);
  return asText(text) !== undefined || functionCall !== undefined;
}
