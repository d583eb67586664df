import { homedir } from 'node:os';
import { join } from 'node:path';
import { asArray, asObject, asText, parseObject } from '../../shared/json.ts';

/** The file of a conversation; it is written with the first prompt. */
export function findEvents(
  env: Readonly<Record<string, string>>,
  conversation: string,
): string | undefined {
  // The id may come from outside, and it becomes part of a path.
  if (!/^[\w-]+$/.test(conversation)) return undefined;
  const folder = env['COPILOT_HOME'] || join(env['HOME'] || homedir(), '.copilot');
  return join(folder, 'session-state', conversation, 'events.jsonl');
}

/** One line of events.jsonl, as far as the last answer needs it. */
export type Entry =
  | { readonly kind: 'prompt' }
  | { readonly kind: 'text'; readonly text: string; readonly isLast: boolean }
  /** A step of the model without a word. */
  | { readonly kind: 'work'; readonly isLast: boolean }
  | { readonly kind: 'failed' }
  /** A person broke the turn off; what it had said by then is kept nowhere. */
  | { readonly kind: 'aborted' }
  | { readonly kind: 'damaged' };

/** Undefined for what is no part of the conversation: hooks, tools, usage, sub-agents (1.0.102). */
export function readEntry(line: Buffer): Entry | undefined {
  // Most bytes are in other records (system prompts, tools' output): they are not even parsed.
  if (!marks.some((mark) => line.subarray(0, headBytes).includes(mark))) return undefined;
  const record = parseObject(line.toString('utf8'));
  if (!record) return { kind: 'damaged' };
  // What a sub-agent says stands in the same file.
  if (record['agentId'] !== undefined) return undefined;
  const data = asObject(record['data']);
  switch (record['type']) {
    case 'user.message':
      return { kind: 'prompt' };
    case 'assistant.message': {
      const text = asText(data['content']);
      const isLast = asArray(data['toolRequests']).length === 0;
      return text === undefined ? { kind: 'work', isLast } : { kind: 'text', text, isLast };
    }
    case 'abort':
      return { kind: 'aborted' };
    default:
      return { kind: 'failed' };
  }
}

const marks = [
  '"type":"user.message"',
  '"type":"assistant.message"',
  '"type":"session.error"',
  '"type":"abort"',
];
/** Each record begins with its type. */
const headBytes = 64;
