import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readLinesBackwards } from '../../shared/read-lines-backwards.ts';
import type { Answer } from '../provider.ts';
import { asList, asObject, asText, type Json } from './app-server.ts';

/** `sessions/<year>/<month>/<day>/rollout-<time>-<id>.jsonl`, newest day first. */
export async function findRollout(
  env: Readonly<Record<string, string>>,
  conversation: string,
): Promise<string | undefined> {
  if (!/^[\w-]+$/.test(conversation)) return undefined;
  const home = env['CODEX_HOME'] || join(env['HOME'] || homedir(), '.codex');
  return await search(join(home, 'sessions'), 3, `-${conversation}.jsonl`);
}

async function search(folder: string, depth: number, ending: string): Promise<string | undefined> {
  const names = (await readdir(folder).catch(() => [])).toSorted().toReversed();
  if (depth === 0) {
    const file = names.find((name) => name.endsWith(ending));
    return file === undefined ? undefined : join(folder, file);
  }
  for (const name of names) {
    const found = await search(join(folder, name), depth - 1, ending);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The last answer of a rollout, read from its end (0.166.0). The record of a turn's end holds its last message; an
 * interrupted turn's must be looked for, and may be on the screen alone. A turn that has said nothing yet is passed over.
 */
export async function readRollout(path: string, signal: AbortSignal): Promise<Answer | undefined> {
  let end: 'completed' | 'aborted' | undefined;
  let isDamaged = false;
  for await (const line of readLinesBackwards(path, { signal })) {
    if (line !== 'too-long' && !marks.some((mark) => line.includes(mark))) continue;
    const payload = line === 'too-long' ? undefined : parsePayload(line);
    switch (payload?.['type']) {
      case 'task_complete': {
        const text = asText(payload['last_agent_message']);
        if (text) return { kind: 'answer', text, isPartial: isDamaged };
        end = 'completed';
        break;
      }
      case 'turn_aborted':
        end = 'aborted';
        break;
      case 'message': {
        const text = payload['role'] === 'assistant' ? readText(payload) : '';
        if (text) return { kind: 'answer', text, isPartial: isDamaged || end === undefined };
        break;
      }
      case 'task_started':
        if (end) return end === 'completed' ? { kind: 'no-response' } : undefined;
        isDamaged = false;
        break;
      default:
        isDamaged ||= payload === undefined;
    }
  }
  return undefined;
}

const marks = ['"task_complete"', '"turn_aborted"', '"task_started"', '"role":"assistant"'];

function parsePayload(line: Buffer): Json | undefined {
  try {
    return asObject(asObject(JSON.parse(line.toString('utf8')))['payload']);
  } catch {
    return undefined;
  }
}

function readText(message: Json): string {
  return asList(message['content'])
    .map((part) => (part['type'] === 'output_text' ? (asText(part['text']) ?? '') : ''))
    .join('');
}
