import { homedir } from 'node:os';
import { join } from 'node:path';
import { asArray, asObject, type Json, parseObject } from '../../shared/json.ts';
import type { WantedConversation } from '../provider.ts';
import { listFolders, listNames, readText, sizeOf } from '../record-files.ts';
import { type Saved, unlessUnreadable } from '../saved.ts';
import { isResumableRecord } from './records.ts';
import { followClear } from './session-files.ts';

/** Longer than anything without a turn in it. */
const searchedBytes = 1024 * 1024;

/**
 * `--resume` ends at once with code 42 when nothing was said in a conversation, though it has a
 * file (0.61.0).
 */
export function findSaved({ conversation, cwd, env }: WantedConversation): Promise<Saved> {
  return unlessUnreadable(async () => {
    const id = await followClear({ env, cwd }, conversation);
    if (!/^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(id)) return 'unknown';
    const tmp = join(env['GEMINI_CLI_HOME'] || env['HOME'] || homedir(), '.gemini', 'tmp');
    let last: Saved = 'missing';
    for (const project of await listFolders(tmp)) {
      const chats = join(tmp, project, 'chats');
      for (const name of await listNames(chats)) {
        if (!name.endsWith(`-${id.slice(0, 8)}.jsonl`)) continue;
        const found = await readFor(join(chats, name), id);
        if (found === 'saved' || found === 'unknown') return found;
        if (found === 'empty') last = found;
      }
    }
    return last;
  });
}

/** One whose first line is lost may be of this conversation, and nobody can tell. */
async function readFor(path: string, id: string): Promise<Saved> {
  const isLong = (await sizeOf(path)) > searchedBytes;
  const lines = isLong ? [] : (await readText(path)).split('\n').map((line) => parseObject(line));
  const header = lines[0]?.['sessionId'];
  if (isLong || header === undefined) return 'unknown';
  if (header !== id) return 'missing';
  let kept: readonly Json[] = [];
  for (const record of lines) {
    if (record === undefined) continue;
    const messages = asObject(record['$set'])['messages'];
    if (messages !== undefined) kept = asArray(messages).map(asObject);
    else if (record['$set'] === undefined) kept = [...kept, record];
  }
  return kept.some(isResumableRecord) ? 'saved' : 'empty';
}
