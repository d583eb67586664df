import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { asText, parseObject } from '../../shared/json.ts';
import { findStats, listFolders, readText } from '../record-files.ts';

/** Where a running Kimi Code keeps its sessions, by its own environment. */
export function kimiHome(env: Readonly<Record<string, string>>): string {
  return env['KIMI_CODE_HOME'] || join(env['HOME'] || homedir(), '.kimi-code');
}

/** One line per session that was ever begun, appended when it is. */
export function sessionIndex(home: string): string {
  return join(home, 'session_index.jsonl');
}

export interface BegunSession {
  readonly id: string;
  readonly cwd: string;
  readonly createdAt: number;
}

/**
 * Undefined for a line that names no session; `createdAt` is unset while the session's own file is
 * not there yet, or half-written. Throws when that file cannot be read.
 */
export async function readBegun(
  line: string,
): Promise<(Omit<BegunSession, 'createdAt'> & { readonly createdAt?: number }) | undefined> {
  const entry = parseObject(line) ?? {};
  const id = asText(entry['sessionId']);
  const folder = asText(entry['sessionDir']);
  const cwd = asText(entry['workDir']);
  if (id === undefined || folder === undefined || cwd === undefined) return undefined;
  const text = await readText(join(folder, 'state.json'));
  const createdAt = parseObject(text)?.['createdAt'];
  return { id, cwd, ...(typeof createdAt === 'number' ? { createdAt } : {}) };
}

/** Whose file this is, by where it lies. */
export function conversationOf(wirePath: string): string {
  return basename(dirname(dirname(dirname(wirePath))));
}

/**
 * Everything that happened in a session, one line each; sub-agents have files of their own.
 * Undefined where it is not there; throws where that cannot be told (record-files.ts).
 */
export async function findWire(home: string, conversation: string): Promise<string | undefined> {
  if (!/^[\w-]+$/.test(conversation)) return undefined;
  const sessions = join(home, 'sessions');
  for (const workspace of await listFolders(sessions)) {
    const path = join(sessions, workspace, conversation, 'agents', 'main', 'wire.jsonl');
    if ((await findStats(path))?.isFile()) return path;
  }
  return undefined;
}
