import { asArray, asObject, asText, type Json } from '../../shared/json.ts';
import { type Shape, shapeOfUnlisted } from '../record-form.ts';
import { hasOutput, isModels, listed, readStrange } from './said-records.ts';

/**
 * The form of records (2.1.240, 2.1.280, 2.1.325): with requests on record an answer names its own,
 * without it only its parent.
 */
export function createShapeReader(): (record: Json) => Shape {
  let hasRequests = false;
  return (record) => {
    if (record['isSidechain'] === true || record['agentId'] !== undefined) return 'familiar';
    const type = asText(record['type']) ?? '';
    hasRequests ||= type === 'api-request';
    if (type === 'user') return readUser(record);
    if (type === 'assistant') return readAssistant(record, hasRequests);
    if (type === 'attachment') return readStrange(record).length > 0 ? 'strange' : 'familiar';
    return listed.has(type) ? 'familiar' : shapeOfUnlisted(record);
  };
}

function readUser(record: Json): Shape {
  const { content } = asObject(record['message']);
  if (content === undefined || asText(record['uuid']) === undefined) return 'strange';
  if (asArray(content).some((block) => asObject(block)['type'] === 'tool_result'))
    return 'familiar';
  return readStrange(record).length > 0 ? 'strange' : 'prompt';
}

function readAssistant(record: Json, hasRequests: boolean): Shape {
  if (!isModels(record)) return 'familiar';
  const message = asObject(record['message']);
  if (asText(record['requestRef']) !== undefined) return 'answer';
  const isLinked =
    asText(record['parentUuid']) !== undefined && asText(message['id']) !== undefined;
  if (hasRequests || !isLinked || asText(record['uuid']) === undefined) return 'strange';
  if (hasOutput(record)) return 'answer';
  return asArray(message['content']).length === 0 ? 'familiar' : 'strange';
}
