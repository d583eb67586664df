import { homedir } from 'node:os';
import { join } from 'node:path';
import { asArray, asObject, type Json, parseObject } from '../../shared/json.ts';
import type { AgentContext } from '../provider.ts';
import { listFolders, sizeOf } from '../record-files.ts';

export function projectsFolder(env: Readonly<Record<string, string>>): string {
  const base = env['QWEN_RUNTIME_DIR'] || env['QWEN_HOME'];
  return join(base || join(env['HOME'] || homedir(), '.qwen'), 'projects');
}

/**
 * `projects/<folder>/chats/<conversation>.jsonl`; it appears with the first turn. Undefined where
 * there is none; throws where that cannot be told (record-files.ts).
 */
export async function findTranscript({
  env,
  cwd,
  conversation,
}: Pick<AgentContext, 'env' | 'cwd' | 'conversation'>): Promise<string | undefined> {
  // The id may come from outside, and it becomes part of a path.
  if (conversation === undefined || !/^[\w-]+$/.test(conversation)) return undefined;
  const projects = projectsFolder(env);
  const likely = cwd.replace(/[^a-zA-Z0-9]/g, '-');
  for (const folder of new Set([likely, ...(await listFolders(projects))])) {
    const path = join(projects, folder, 'chats', `${conversation}.jsonl`);
    if ((await sizeOf(path)) > 0) return path;
  }
  return undefined;
}

/** One line of it (0.24.4), as far as the last answer needs it. */
export type Entry =
  | { readonly kind: 'prompt' }
  | {
      readonly kind: 'answer';
      readonly text: string;
      /** Something more comes after it, unless the turn was broken off. */
      readonly callsTools: boolean;
    }
  | { readonly kind: 'failed' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'damaged' };

/** Undefined for what is no part of the conversation: snapshots, measurements, commands. */
export function readEntry(line: Buffer): Entry | undefined {
  const record = parseObject(line.toString('utf8'));
  return record === undefined ? { kind: 'damaged' } : readRecord(record);
}

export function readRecord(record: Json): Entry | undefined {
  const parts = asArray(asObject(record['message'])['parts']).map(asObject);
  switch (record['type']) {
    case 'user':
      return parts.some(isText) ? { kind: 'prompt' } : undefined;
    case 'assistant':
      return {
        kind: 'answer',
        text: parts
          .filter(isText)
          .map(({ text }) => text)
          .join(''),
        callsTools: parts.some((part) => part['functionCall'] !== undefined),
      };
    case 'tool_result': {
      const { status } = asObject(record['toolCallResult']);
      return status === 'cancelled' ? { kind: 'cancelled' } : undefined;
    }
    case 'system': {
      const event = asObject(asObject(record['systemPayload'])['uiEvent'])['event.name'];
      return event === 'qwen-code.api_error' ? { kind: 'failed' } : undefined;
    }
    default:
      return undefined;
  }
}

function isText(part: Json): part is { readonly text: string } {
  return typeof part['text'] === 'string' && part['thought'] !== true;
}
