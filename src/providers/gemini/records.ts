import { asArray, asObject, asText, type Json, parseObject } from '../../shared/json.ts';

/** One line of a conversation's file (0.61.0), as far as the last answer needs it. */
export type Entry =
  | Step
  /**
   * From here on only this counts: a turn that failed or was cancelled is taken out, a long one is
   * compressed.
   */
  | { readonly kind: 'history'; readonly steps: readonly Step[] };

export type Step =
  | { readonly kind: 'prompt'; readonly id: string }
  | {
      readonly kind: 'answer';
      readonly id: string;
      readonly text: string;
      /** Something more comes after it, unless the turn was broken off. */
      readonly callsTools: boolean;
    }
  | { readonly kind: 'failed' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'damaged' };

/** Undefined for what is no part of the conversation. */
export function readEntry(line: Buffer): Entry | undefined {
  const record = parseObject(line.toString('utf8'));
  if (record === undefined) return { kind: 'damaged' };
  const messages = asObject(record['$set'])['messages'];
  if (messages === undefined) return readMessage(record);
  const steps = asArray(messages).map((message) => readMessage(asObject(message)));
  return { kind: 'history', steps: steps.filter((step) => step !== undefined) };
}

/** What Gemini itself counts when it looks for conversations to resume. */
export function isResumableRecord(record: Json): boolean {
  const entry = readMessage(record);
  return entry?.kind === 'prompt' || (entry?.kind === 'answer' && !isEmpty(entry));
}

function readMessage(record: Json): Step | undefined {
  const id = asText(record['id']) ?? '';
  const content = asText(record['content']);
  switch (record['type']) {
    case 'user':
      return isPrompt(record['content']) ? { kind: 'prompt', id } : undefined;
    case 'gemini': {
      const text = readTexts(record['content']).join('');
      return { kind: 'answer', id, text, callsTools: asArray(record['toolCalls']).length > 0 };
    }
    case 'error':
      return { kind: 'failed' };
    case 'info':
      return content === 'Request cancelled.' ? { kind: 'cancelled' } : undefined;
    default:
      return undefined;
  }
}

function isEmpty(answer: { readonly text: string; readonly callsTools: boolean }): boolean {
  return answer.text.trim() === '' && !answer.callsTools;
}

/** Tool results are a user's too, and so is what Gemini tells the model about the folder. */
function isPrompt(content: unknown): boolean {
  return readTexts(content).some(
    (text) => text.trim() !== '' && !/^\s*(?:<session_context>|<hook_context>)/.test(text),
  );
}

function readTexts(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content];
  return asArray(content).flatMap((part) => {
    const { text, thought } = asObject(part);
    return typeof text === 'string' && thought !== true ? [text] : [];
  });
}
