import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { asArray, asObject, asText, parseJson, parseObject } from '../../shared/json.ts';
import { findStats, listFolders, listNames, readHead, readText, sizeOf } from '../record-files.ts';

/**
 * Where Gemini CLI 0.61.0 keeps its conversations:
 * `<home>/.gemini/tmp/<project>/chats/session-<minute>-<8 hex>.jsonl`, the project's short name
 * being looked up in `projects.json`. A resumed conversation goes on in its first file and leaves a
 * second one with the same name but for the minute, so there may be several.
 *
 * A file may lack its first line, which says whose it is: a Gemini that starts in the same folder
 * deletes files in which nothing was said yet, and a resumed conversation, and the next record
 * makes such a file anew. Its name still holds a part of the id.
 *
 * All of these throw where something is there and cannot be read (rule 41).
 */
export interface Place {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

export interface SessionFile {
  readonly path: string;
  /** Undefined where the first line is lost, or not written yet. */
  readonly id: string | undefined;
  /** Wall time; endless for a file that went while it was looked at. */
  readonly changedAt: number;
  readonly isMain: boolean;
  readonly startedAt: number;
}

/** Files of one conversation, the one that was written last first. */
export async function findSessionFiles(place: Place, id: string): Promise<readonly SessionFile[]> {
  const files = await listSessionFiles(place, (path) => isNamedAfter(path, id));
  return files.filter((file) => isOf(file, id)).toSorted((a, b) => b.changedAt - a.changedAt);
}

/**
 * Of all conversations of the project, other agents' too, those that were written to since, and
 * those of these ids.
 */
export async function listFilesSince(
  place: Place,
  since: number,
  ids: readonly string[],
): Promise<readonly SessionFile[]> {
  return await listSessionFiles(
    place,
    (path, changedAt) => changedAt >= since - clockMs || ids.some((id) => isNamedAfter(path, id)),
  );
}

/** By its first line, or, where that is lost, by its name. */
export function isOf({ path, id }: Pick<SessionFile, 'path' | 'id'>, wanted: string): boolean {
  return id === undefined ? isNamedAfter(path, wanted) : id === wanted;
}

/**
 * The conversation that an agent is in, from the one it was started with. `/clear` begins a new one
 * under a new id, and without hooks nothing tells which; but `logs.json` keeps what was typed,
 * always under the id of the start. The new file is the first that began after the command. When
 * the old one was written to since, it was resumed.
 */
export async function followClear(place: Place, id: string): Promise<string> {
  const clears: number[] = [];
  for (const folder of await projectFolders(place)) clears.push(await lastClear(folder, id));
  const clearedAt = Math.max(...clears);
  if (!Number.isFinite(clearedAt)) return id;
  const [current] = await findSessionFiles(place, id);
  if (current !== undefined && current.changedAt > clearedAt + clearMs) return id;
  const next = (await listFilesSince(place, clearedAt, []))
    .filter(({ isMain, startedAt }) => isMain && startedAt >= clearedAt)
    .filter(({ startedAt }) => startedAt <= clearedAt + clearMs)
    .toSorted((a, b) => a.startedAt - b.startedAt)[0];
  return next?.id ?? id;
}

/** A clock that is set back makes files look older than what is in them. */
export const clockMs = 60 * 60 * 1000;
/** 50 ms were seen from the command to the new file's first line. */
const clearMs = 5000;
/** Its own limit is not known; a longer one is left alone. */
const longestLog = 16 * 1024 * 1024;
/** The first line fits in it many times over. */
const headBytes = 16 * 1024;

async function lastClear(folder: string, id: string): Promise<number> {
  const path = join(folder, 'logs.json');
  if ((await sizeOf(path)) > longestLog) return Number.NEGATIVE_INFINITY;
  const last = asArray(parseJson(await readText(path)))
    .map(asObject)
    .findLast(
      (entry) => entry['sessionId'] === id && /^\/clear\b/.test(asText(entry['message']) ?? ''),
    );
  return last ? Date.parse(asText(last['timestamp']) ?? '') : Number.NEGATIVE_INFINITY;
}

async function listSessionFiles(
  place: Place,
  isWanted: (path: string, changedAt: number) => boolean,
): Promise<readonly SessionFile[]> {
  const files: SessionFile[] = [];
  for (const folder of await projectFolders(place)) {
    const chats = join(folder, 'chats');
    for (const name of await listNames(chats)) {
      if (!/^session-.*\.jsonl$/.test(name)) continue;
      const path = join(chats, name);
      const changedAt = (await findStats(path))?.mtimeMs ?? Number.POSITIVE_INFINITY;
      if (isWanted(path, changedAt)) files.push({ path, changedAt, ...(await readHeader(path)) });
    }
  }
  return files;
}

async function readHeader(path: string): Promise<Omit<SessionFile, 'path' | 'changedAt'>> {
  const [first = ''] = (await readHead(path, headBytes)).toString('utf8').split('\n', 1);
  const header = parseObject(first) ?? {};
  const startedAt = Date.parse(asText(header['startTime']) ?? '');
  return { id: asText(header['sessionId']), isMain: header['kind'] === 'main', startedAt };
}

/**
 * The project's own, or, where the list does not know the folder (another spelling of its path),
 * all of them.
 */
async function projectFolders({ env, cwd }: Place): Promise<readonly string[]> {
  const home = join(env['GEMINI_CLI_HOME'] || env['HOME'] || homedir(), '.gemini');
  const list = asObject(parseJson(await readText(join(home, 'projects.json'))));
  const known = asText(asObject(list['projects'])[cwd]);
  const names = known !== undefined ? [known] : await listFolders(join(home, 'tmp'));
  return names.map((name) => join(home, 'tmp', name));
}

/** The id may come from outside; it is compared, and never becomes part of a path. */
function isNamedAfter(path: string, id: string): boolean {
  return (
    /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(id) && basename(path).endsWith(`-${id.slice(0, 8)}.jsonl`)
  );
}
