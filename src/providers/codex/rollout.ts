import { homedir } from 'node:os';
import { join } from 'node:path';
import { asArray, asObject, asText, type Json, parseObject } from '../../shared/json.ts';
import { readLinesBackwards } from '../../shared/read-lines-backwards.ts';
import { findMarks } from '../marks.ts';
import type { Answer } from '../provider.ts';
import { listFolders, listNames } from '../record-files.ts';

/** The newest file of a conversation. */
export async function findRollout(
  env: Readonly<Record<string, string>>,
  conversation: string,
): Promise<string | undefined> {
  return (await findRollouts(env, conversation)).at(-1);
}

/**
 * All files of a conversation, oldest first, in `sessions/<year>/<month>/<day>`:
 * `rollout-<time>-<id>.jsonl`, and one more, `rollout-<time>-<id>_<revision>.jsonl`, for each time
 * a person went back in it (0.166.0); the others are not written to again. Archived ones lie
 * together in a folder of their own. Throws where one of these folders cannot be listed.
 */
export async function findRollouts(
  env: Readonly<Record<string, string>>,
  conversation: string,
): Promise<readonly string[]> {
  if (!/^[\w-]+$/.test(conversation)) return [];
  const home = env['CODEX_HOME'] || join(env['HOME'] || homedir(), '.codex');
  const found: string[] = [];
  const isFound = await search(join(home, 'sessions'), 3, { conversation, found });
  if (!isFound) await search(join(home, 'archived_sessions'), 0, { conversation, found });
  return found.toReversed();
}

/** Newest day first, back to the day of the first file. True when that was found. */
async function search(folder: string, depth: number, wanted: Wanted): Promise<boolean> {
  const all = depth > 0 ? await listFolders(folder) : await listNames(folder);
  const names = all.toSorted().toReversed();
  if (depth > 0) {
    for (const name of names) if (await search(join(folder, name), depth - 1, wanted)) return true;
    return false;
  }
  const { conversation, found } = wanted;
  const isFirst = (name: string): boolean => name.endsWith(`-${conversation}.jsonl`);
  const isLater = (name: string): boolean =>
    name.includes(`-${conversation}_`) && name.endsWith('.jsonl');
  const ours = names.filter((name) => isFirst(name) || isLater(name));
  found.push(...ours.map((name) => join(folder, name)));
  return ours.some(isFirst);
}

interface Wanted {
  readonly conversation: string;
  readonly found: string[];
}

/**
 * The last answer of a rollout, read from its end (0.166.0). The record of a turn's end holds its
 * last message; an interrupted turn's must be looked for, and may be on the screen alone. A turn
 * that has said nothing yet is passed over.
 */
export async function readRollout(path: string, signal: AbortSignal): Promise<Answer | undefined> {
  let end: 'completed' | 'aborted' | undefined;
  let isDamaged = false;
  let earlier: { readonly isEarlier?: true } = {};
  for await (const line of readLinesBackwards(path, { signal })) {
    if (line !== 'too-long' && !marks.some((mark) => line.includes(mark))) continue;
    const payload = line === 'too-long' ? undefined : parsePayload(line);
    switch (payload?.['type']) {
      case 'task_complete': {
        const text = asText(payload['last_agent_message']);
        if (text) return { kind: 'answer', text, isPartial: isDamaged, ...earlier };
        end = 'completed';
        break;
      }
      case 'turn_aborted':
        end = 'aborted';
        break;
      case 'message': {
        const text = payload['role'] === 'assistant' ? readText(payload) : '';
        const isPartial = isDamaged || end === undefined;
        if (text) return { kind: 'answer', text, isPartial, ...earlier };
        break;
      }
      case 'task_started':
        if (end) return end === 'completed' ? { kind: 'no-response' } : undefined;
        isDamaged = false;
        earlier = { isEarlier: true };
        break;
      default:
        isDamaged ||= payload === undefined;
    }
  }
  return undefined;
}

/** What a rollout tells of one turn that has ended. */
export interface TurnTale {
  readonly text?: string;
  /** The marks in all that it was given; undefined where its records are not all to be read. */
  readonly held?: readonly string[];
}

/**
 * The last words of one turn and what it held, once the record of its end is there; undefined until
 * then.
 */
export async function readTurnTale(
  path: string,
  turnId: string,
  signal: AbortSignal,
): Promise<TurnTale | undefined> {
  const held = new Set<string>();
  let text: string | undefined;
  let isEnded = false;
  let isWhole = true;
  const tell = (): TurnTale => ({
    ...(text === undefined ? {} : { text }),
    ...(isWhole ? { held: [...held] } : {}),
  });
  for await (const line of readLinesBackwards(path, { signal })) {
    if (line === 'too-long') {
      isWhole = false;
      continue;
    }
    if (isEnded && line.includes('mark_') && given.some((mark) => line.includes(mark))) {
      for (const mark of findMarks(line.toString('utf8'))) held.add(mark);
    }
    if (!marks.some((mark) => line.includes(mark))) continue;
    const payload = parsePayload(line) ?? {};
    const isOurs = payload['turn_id'] === turnId;
    switch (payload['type']) {
      case 'task_complete':
      case 'turn_aborted':
        if (!isOurs) break;
        isEnded = true;
        text = asText(payload['last_agent_message']);
        break;
      case 'message':
        // One that was broken off, or that failed half-way, may have said something before.
        if (isEnded && payload['role'] === 'assistant') text ??= readText(payload) || undefined;
        break;
      case 'task_started':
        if (isOurs) return isEnded ? tell() : undefined;
    }
  }
  isWhole = false;
  return isEnded ? tell() : undefined;
}

/** What was put in, not what a tool or the model quotes. */
const given = ['"role":"user"', '"UserMessage"'];
const marks = ['"task_complete"', '"turn_aborted"', '"task_started"', '"role":"assistant"'];

function parsePayload(line: Buffer): Json | undefined {
  const record = parseObject(line.toString('utf8'));
  return record && asObject(record['payload']);
}

function readText(message: Json): string {
  return asArray(message['content'])
    .map(asObject)
    .map((part) => (part['type'] === 'output_text' ? (asText(part['text']) ?? '') : ''))
    .join('');
}
