import { asArray, asObject, asText, type Json } from '../../shared/json.ts';
import { type Shape, shapeOfUnlisted } from '../record-form.ts';
import { isOutput } from './spoken.ts';

/** The form of a session's messages (1.18.33). */
export function readShape(record: Json): Shape {
  const { id, role, parentID, error } = asObject(record['info']);
  if (asText(id) === undefined) return shapeOfUnlisted(record);
  const parts = asArray(record['parts']).map(asObject);
  if (role === 'user') return parts.length > 0 ? 'prompt' : 'familiar';
  if (role !== 'assistant') return shapeOfUnlisted(record);
  const isAnswered = parts.some(isOutput);
  if (isAnswered) return asText(parentID) === undefined ? 'strange' : 'answer';
  return error === undefined ? shapeOfUnlisted({ parts: record['parts'] }) : 'familiar';
}
