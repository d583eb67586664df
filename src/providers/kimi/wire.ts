import { asObject, asText, parseObject } from '../../shared/json.ts';

/** One line of wire.jsonl, as far as the last answer needs it. */
export type Entry =
  | { readonly kind: 'prompt' }
  | { readonly kind: 'text'; readonly step: string; readonly text: string }
  /** A step of the model, whatever it did. */
  | { readonly kind: 'work'; readonly step: string }
  | { readonly kind: 'end' }
  | { readonly kind: 'damaged' };

/**
 * Undefined for what is no part of the conversation: settings, requests, usage, reminders (2.1.0).
 */
export function readEntry(line: Buffer): Entry | undefined {
  // System prompts and lists of tools are most of it: they are not even parsed.
  const head = line.subarray(0, headBytes);
  if (!marks.some((mark) => head.includes(mark))) return undefined;
  const record = parseObject(line.toString('utf8'));
  if (!record) return { kind: 'damaged' };
  if (record['type'] === 'turn.prompt') return { kind: 'prompt' };
  if (record['type'] === 'turn.ended') return { kind: 'end' };
  const event = asObject(record['event']);
  const step = asText(event['stepUuid']) ?? asText(event['uuid']);
  if (step === undefined) return undefined;
  const part = asObject(event['part']);
  const text = part['type'] === 'text' ? asText(part['text']) : undefined;
  return text === undefined ? { kind: 'work', step } : { kind: 'text', step, text };
}

const marks = ['"type":"turn.prompt"', '"type":"turn.ended"', '"type":"context.append_loop_event"'];
/** Each record begins with its type. */
const headBytes = 64;
