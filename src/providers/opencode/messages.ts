import { asArray, asObject, asText, type Json } from '../../shared/json.ts';

/** One message of a conversation, as far as the last answer needs it. */
export type Message =
  | { readonly kind: 'prompt' }
  | { readonly kind: 'text'; readonly text: string; readonly isFinal: boolean }
  /** A step of the model without a word: tools, thinking, a failure. */
  | { readonly kind: 'work' };

/**
 * Undefined for what is no part of the talk: summaries, and what OpenCode says in the person's name
 * (1.18.33).
 */
export function readMessage(raw: unknown): Message | undefined {
  const { info, parts } = asObject(raw);
  const { role, summary, finish } = asObject(info);
  const texts = asArray(parts).map(asObject).filter(isText);
  if (role === 'user') return texts.length > 0 ? { kind: 'prompt' } : undefined;
  if (role !== 'assistant' || summary === true) return undefined;
  const text = texts.map((part) => asText(part['text']) ?? '').join('\n\n');
  if (text.trim() === '') return { kind: 'work' };
  // Unset while it is being said, and where it was broken off.
  return { kind: 'text', text, isFinal: finish !== undefined && finish !== 'tool-calls' };
}

function isText(part: Json): boolean {
  return part['type'] === 'text' && part['synthetic'] !== true && part['ignored'] !== true;
}
