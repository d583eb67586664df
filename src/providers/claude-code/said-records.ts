import { createHash } from 'node:crypto';
import { findPastedMark } from '../../messages/prompt.ts';
import { asArray, asObject, asText, type Json } from '../../shared/json.ts';
import { hasWord } from '../model-output.ts';

/** A record that the CLI made of what we said. */
export interface SaidRecord {
  readonly type: string;
  readonly marks: readonly string[];
  /** Of a prompt: its name in the requests that hold it. */
  readonly hash?: string;
}

/**
 * Undefined for everything else, whatever it quotes: prompts of a person, results of tools, output
 * of hooks.
 */
export function readSaid(record: Json): SaidRecord | undefined {
  const prompt = readPrompt(record);
  if (prompt) return prompt;
  const said = record['type'] === 'user' ? readWoken(record) : readAttachment(record);
  const marks = marksIn(said?.text);
  return said && marks.length > 0 ? { type: said.type, marks } : undefined;
}

/**
 * What we pasted: a prompt of a person, for the CLI, that begins with our line, be it the user's
 * words or a fenced task (rule 51). A mark that a person quotes stands elsewhere, and proves
 * nothing. Its key is another than that of the same mark in a notice, so that neither proves the
 * other.
 */
function readPrompt(record: Json): SaidRecord | undefined {
  const text = readTyped(record);
  const mark = text === undefined ? undefined : findPastedMark(text);
  if (text === undefined || mark === undefined) return undefined;
  return { type: 'prompt', marks: [promptKey(mark)], hash: hashPrompt(text) };
}

/** Under which a mark of a pasted prompt is kept. */
export function promptKey(mark: string): string {
  return `${pasted}${mark}`;
}

/** The key of the same mark in a text that came the other way. */
export function twinOf(key: string): string {
  return key.startsWith(pasted) ? key.slice(pasted.length) : promptKey(key);
}

const pasted = 'prompt ';

function readTyped(record: Json): string | undefined {
  const attachment = asObject(record['attachment']);
  if (attachment['type'] === 'queued_command') {
    return attachment['commandMode'] === 'prompt' ? ownText(attachment['prompt']) : undefined;
  }
  const isHuman = record['type'] === 'user' && asObject(record['origin'])['kind'] === 'human';
  return isHuman ? ownText(asObject(record['message'])['content']) : undefined;
}

/**
 * How requests name a prompt that is a message of its own, whether its blob is on record or not:
 * the hash of the message as JSON, its keys in order (2.1.325; of 4 prompts and 5 blobs).
 */
function hashPrompt(text: string): string {
  const message = { content: [{ text, type: 'text' }], role: 'user' };
  return createHash('sha256').update(JSON.stringify(message)).digest('hex');
}

/** Marks in a record of a kind that we do not know: what we said may stand there (rule 50). */
export function readStrange(record: Json): readonly string[] {
  const { type, origin, message, attachment } = record;
  switch (type) {
    case 'user': {
      const { kind } = asObject(origin);
      const isKnown = kind === 'human' || kind === 'task-notification' || record['isMeta'] === true;
      return isKnown ? [] : marksIn(ownText(asObject(message)['content']));
    }
    case 'attachment':
      if (harmless.test(asText(asObject(attachment)['type']) ?? '')) return [];
      return marksIn(JSON.stringify(record));
    default:
      return listed.has(asText(type) ?? '') ? [] : marksIn(JSON.stringify(record));
  }
}

/** What hooks printed, and what a person had queued. */
const harmless = /^(?:hook_(?:success|\w*error\w*|cancelled|stopped_continuation)|queued_command)$/;

/** Kinds of records that hold nothing that is said to the model, or are read elsewhere. */
export const listed: ReadonlySet<string> = new Set([
  'agent-name',
  'ai-title',
  'api-request',
  'api-request-blob',
  'api-request-shape',
  'assistant',
  'atis-latch',
  'attachment',
  'cost-state',
  'custom-title',
  'file-history-snapshot',
  'last-prompt',
  'mode',
  'permission-mode',
  'queue-operation',
  'summary',
  'system',
  'tools-used',
  'user',
]);

/**
 * What the CLI writes when a person breaks a turn off (2.1.325); a prompt with these words has an
 * origin.
 */
export function isInterruption(record: Json): boolean {
  if (record['type'] !== 'user' || record['origin'] !== undefined) return false;
  const content = asArray(asObject(record['message'])['content']);
  return /^\[Request interrupted by user(?: for tool use)?\]$/.test(ownText(content));
}

/**
 * The keys of a blob: a message as it stands in a request. What was said before and never answered
 * is a part of the same message, as is the CLI's own reminder before the first prompt; each part
 * that begins with our line is a prompt of ours (2.1.325).
 */
export function readBlob(record: Json): readonly string[] {
  const { role, content } = asObject(record['message']);
  if (role === 'assistant') return [];
  const parts =
    typeof content === 'string' ? [content] : asArray(content).map((one) => ownText([one]));
  const prompts = role === 'user' ? parts.flatMap((part) => findPastedMark(part) ?? []) : [];
  return [...marksIn(ownText(content)), ...prompts.map(promptKey)];
}

/**
 * The request that the model answers by this record; undefined for anything that is not the model's
 * own, or says nothing.
 */
export function readAnswered(record: Json): string | undefined {
  return isModels(record) && hasOutput(record) ? asText(record['requestRef']) : undefined;
}

/** The model's own record: no failure of its API, and nothing that the CLI wrote in its place. */
export function isModels(record: Json): boolean {
  if (record['type'] !== 'assistant' || record['isApiErrorMessage'] === true) return false;
  const { model } = asObject(record['message']);
  return model !== '<synthetic>';
}

/**
 * Rule 43: a word, a thought or a call of a tool. Of a thought that is not shown, or is kept back,
 * there is a signature, or data.
 */
export function hasOutput(record: Json): boolean {
  return asArray(asObject(record['message'])['content'])
    .map(asObject)
    .some(({ type, text, thinking, signature, data }) => {
      if (type === 'text') return hasWord(text);
      if (type === 'thinking') return hasWord(thinking) || hasWord(signature);
      if (type === 'redacted_thinking') return hasWord(data);
      return type === 'tool_use' || type === 'server_tool_use';
    });
}

export function marksIn(text: string | undefined): readonly string[] {
  return text === undefined ? [] : [...new Set(text.match(/\bmark_\w+/g))];
}

interface Text {
  readonly type: string;
  readonly text: string;
}

function readWoken(record: Json): Text | undefined {
  if (asObject(record['origin'])['kind'] !== 'task-notification') return undefined;
  return { type: 'user', text: ownText(asObject(record['message'])['content']) };
}

function readAttachment(record: Json): Text | undefined {
  const attachment = asObject(record['attachment']);
  switch (attachment['type']) {
    case 'queued_command':
      return attachment['commandMode'] === 'task-notification'
        ? { type: 'queued_command', text: ownText(attachment['prompt']) }
        : undefined;
    case 'hook_additional_context': {
      const texts = asArray(attachment['content']).map((text) => asText(text) ?? '');
      return { type: 'hook_additional_context', text: texts.join('\n') };
    }
    default:
      return undefined;
  }
}

/** Text, but not what tools printed. */
function ownText(content: unknown): string {
  if (typeof content === 'string') return content;
  return asArray(content)
    .map(asObject)
    .map((block) => (block['type'] === 'text' ? (asText(block['text']) ?? '') : ''))
    .join('\n');
}
