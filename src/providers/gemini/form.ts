import { asObject, asText, type Json } from '../../shared/json.ts';
import { type Shape, shapeOfUnlisted } from '../record-form.ts';

/**
 * The form of chat files (0.61.0). Another Gemini in the folder may delete a file that its own goes
 * on with: one may begin with an answer, and that is no strange form.
 */
export function createShapeReader(): (record: Json) => Shape {
  let hasPrompt = false;
  return (record) => {
    const shape = readShape(record);
    hasPrompt ||= shape === 'prompt';
    return shape === 'answer' && !hasPrompt ? 'familiar' : shape;
  };
}

/** What sets all messages anew is a copy, and says nothing that was not written before. */
function readShape(record: Json): Shape {
  if (record['$set'] !== undefined || record['$rewindTo'] !== undefined) return 'familiar';
  const hasId = asText(record['id']) !== undefined;
  switch (record['type']) {
    case 'user':
      return hasId && isContent(record['content']) ? 'prompt' : 'strange';
    case 'gemini':
      if (!hasId) return 'strange';
      return asText(record['model']) === undefined ? 'familiar' : 'answer';
    case 'info':
    case 'warning':
    case 'error':
      return 'familiar';
    default:
      return asText(asObject(record)['sessionId']) === undefined
        ? shapeOfUnlisted(record)
        : 'familiar';
  }
}

function isContent(content: unknown): boolean {
  return typeof content === 'string' || Array.isArray(content);
}
