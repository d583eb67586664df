import { asArray, asObject, asText, type Json, parseObject } from '../../shared/json.ts';

/** One line of a transcript, as far as the last answer needs it. */
export type Entry =
  | { readonly kind: 'prompt' }
  | {
      readonly kind: 'text';
      readonly message: string;
      readonly text: string;
      /** The model itself said that its turn is over. */
      readonly isLast: boolean;
    }
  /** A tool call, its result, thinking. */
  | { readonly kind: 'work'; readonly message: string | undefined }
  /** The turn is over, however. */
  | { readonly kind: 'end' }
  | { readonly kind: 'damaged' };

/**
 * Undefined for what is no part of the conversation: requests, snapshots, sub-agents, local
 * commands (2.1.325).
 */
export function readEntry(line: Buffer): Entry | undefined {
  // Most bytes of a transcript are in other records; they are not even parsed.
  if (!marks.some((mark) => line.includes(mark))) return undefined;
  if (line.includes('"type":"tool_result"')) {
    // The largest of all, up to 16 MB, and nothing in it matters: quotes inside a result are
    // escaped.
    const isOurs = !line.includes('"isSidechain":true');
    return isOurs ? { kind: 'work', message: undefined } : undefined;
  }
  const record = parseObject(line.toString('utf8'));
  if (!record) return { kind: 'damaged' };
  if (record['isSidechain'] === true || record['isMeta'] === true) return undefined;
  if (record['subtype'] === 'turn_duration') return { kind: 'end' };
  if (record['type'] === 'assistant') return readAssistant(record);
  return record['type'] === 'user' ? readUser(record) : undefined;
}

const marks = ['"type":"assistant"', '"type":"user"', '"turn_duration"'];

function readAssistant(record: Json): Entry | undefined {
  const message = asObject(record['message']);
  // Its own words for an API's failure, or for a turn that a kill cut off.
  if (record['isApiErrorMessage'] === true || message['model'] === '<synthetic>') return undefined;
  const id = asText(message['id']) ?? asText(record['uuid']) ?? '';
  const text = readBlocks(message['content']).map(textOf).join('');
  if (text === '') return { kind: 'work', message: id };
  return { kind: 'text', message: id, text, isLast: message['stop_reason'] === 'end_turn' };
}

function readUser(record: Json): Entry | undefined {
  if (record['isCompactSummary'] === true || record['isVisibleInTranscriptOnly'] === true) {
    return undefined;
  }
  const text = readBlocks(asObject(record['message'])['content']).map(textOf).join('');
  if (text.startsWith('[Request interrupted by user')) return { kind: 'end' };
  return /^<(?:local-command|bash-)/.test(text) ? undefined : { kind: 'prompt' };
}

function readBlocks(content: unknown): readonly Json[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return asArray(content).map(asObject);
}

function textOf(block: Json): string {
  return block['type'] === 'text' ? (asText(block['text']) ?? '') : '';
}
