import { asArray, asObject, asText, type Json } from '../../shared/json.ts';

/** A record that the CLI made of what we said. */
export interface SaidRecord {
  readonly type: string;
  readonly marks: readonly string[];
}

/** Undefined for everything else, whatever it quotes: prompts of a person, results of tools, output of hooks. */
export function readSaid(record: Json): SaidRecord | undefined {
  const said = record['type'] === 'user' ? readWoken(record) : readAttachment(record);
  const marks = marksIn(said?.text);
  return said && marks.length > 0 ? { type: said.type, marks } : undefined;
}

/** What the CLI writes when a person breaks a turn off (2.1.325); a prompt with these words has an origin. */
export function isInterruption(record: Json): boolean {
  if (record['type'] !== 'user' || record['origin'] !== undefined) return false;
  const content = asArray(asObject(record['message'])['content']);
  return /^\[Request interrupted by user(?: for tool use)?\]$/.test(ownText(content));
}

/** The marks of a blob: a text as it stands in a request. */
export function readBlob(record: Json): readonly string[] {
  const message = asObject(record['message']);
  return message['role'] === 'assistant' ? [] : marksIn(ownText(message['content']));
}

/** The request that the model answers by this record; undefined for anything that is not the model's own. */
export function readAnswered(record: Json): string | undefined {
  if (record['type'] !== 'assistant' || record['isApiErrorMessage'] === true) return undefined;
  if (asObject(record['message'])['model'] === '<synthetic>') return undefined;
  return asText(record['requestRef']);
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
