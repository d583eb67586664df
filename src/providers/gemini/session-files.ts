import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { asArray, asObject, asText, type Json, parseObject } from '../../shared/json.ts';

/**
 * Where Gemini CLI 0.61.0 keeps its conversations: `<home>/.gemini/tmp/<project>/chats/session-<minute>-<8 hex>.jsonl`, the
 * project's short name being looked up in `projects.json`. A resumed conversation goes on in its first file and leaves a
 * second one with the same name but for the minute, so there may be several.
 */
export interface Place {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** Files of one conversation, the one that was written last first. */
export function findSessionFiles(place: Place, id: string): readonly string[] {
  // The id may come from outside, and it becomes part of a path.
  if (!/^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(id)) return [];
  return listSessionFiles(place)
    .filter((path) => path.endsWith(`-${id.slice(0, 8)}.jsonl`))
    .filter((path) => readHeader(path)['sessionId'] === id)
    .toSorted((a, b) => modifiedAt(b) - modifiedAt(a));
}

/**
 * The conversation that an agent is in, from the one it was started with. `/clear` begins a new one under a new id, and
 * without hooks nothing tells which; but `logs.json` keeps what was typed, always under the id of the start. The new
 * file is the first that began after the command. When the old one was written to since, it was resumed.
 */
export function followClear(place: Place, id: string): string {
  const [current] = findSessionFiles(place, id);
  const clearedAt = Math.max(...projectFolders(place).map((folder) => lastClear(folder, id)));
  if (!Number.isFinite(clearedAt)) return id;
  if (current !== undefined && modifiedAt(current) > clearedAt + clearMs) return id;
  const next = listSessionFiles(place)
    .map(readHeader)
    .map((header) => ({ header, at: Date.parse(asText(header['startTime']) ?? '') }))
    .filter(({ header, at }) => header['kind'] === 'main' && at >= clearedAt)
    .filter(({ at }) => at <= clearedAt + clearMs)
    .toSorted((a, b) => a.at - b.at)[0];
  return asText(next?.header['sessionId']) ?? id;
}

/** Of all conversations of the project, other agents' too, those that were written to since. */
export function listFilesSince(place: Place, at: number): readonly string[] {
  return listSessionFiles(place).filter((path) => modifiedAt(path) >= at);
}

/** Whose file this is; undefined for one that does not say so. */
export function conversationOf(path: string): string | undefined {
  return asText(readHeader(path)['sessionId']);
}

/** 50 ms were seen from the command to the new file's first line. */
const clearMs = 5000;
/** Its own limit is not known; a longer one is left alone. */
const longestLog = 16 * 1024 * 1024;

function lastClear(folder: string, id: string): number {
  const path = join(folder, 'logs.json');
  try {
    if (statSync(path).size > longestLog) return Number.NEGATIVE_INFINITY;
    const entries = asArray(JSON.parse(readFileSync(path, 'utf8'))).map(asObject);
    const last = entries.findLast(
      (entry) => entry['sessionId'] === id && /^\/clear\b/.test(asText(entry['message']) ?? ''),
    );
    return last ? Date.parse(asText(last['timestamp']) ?? '') : Number.NEGATIVE_INFINITY;
  } catch {
    return Number.NEGATIVE_INFINITY;
  }
}

function listSessionFiles(place: Place): readonly string[] {
  return projectFolders(place).flatMap((folder) => {
    const chats = join(folder, 'chats');
    const names = list(chats).filter((name) => /^session-.*\.jsonl$/.test(name));
    return names.map((name) => join(chats, name));
  });
}

/** The project's own, or, where the list does not know the folder (another spelling of its path), all of them. */
function projectFolders({ env, cwd }: Place): readonly string[] {
  const home = join(env['GEMINI_CLI_HOME'] || env['HOME'] || homedir(), '.gemini');
  const known = asText(asObject(asObject(readJson(join(home, 'projects.json')))['projects'])[cwd]);
  const names = known !== undefined ? [known] : list(join(home, 'tmp'));
  return names.map((name) => join(home, 'tmp', name));
}

/** The first line; 4 KB hold it many times over. */
function readHeader(path: string): Json {
  try {
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(4096);
      const text = bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, 0));
      return parseObject(text.split('\n', 1)[0] ?? '') ?? {};
    } finally {
      closeSync(file);
    }
  } catch {
    return {};
  }
}

function modifiedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
