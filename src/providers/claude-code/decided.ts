import { realpath } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { asArray, asObject, asText, type Json, parseObject } from '../../shared/json.ts';
import { openFile } from '../../shared/open-file.ts';
import type { AgentContext, HookPayload } from '../provider.ts';
import type { FindDecision } from '../questions.ts';
import { codeOf } from '../record-files.ts';
import { projectsFolder } from './find-transcript.ts';

/**
 * What Claude Code itself writes down of a decision (2.1.325): an attachment
 * `hook_permission_decision` with the tool call's id, for what a hook has printed and the CLI has
 * taken; and with the tool's result who decided. Nothing of it where a person was first. The hook's
 * call names no id, so the call is found by its tool and its input; what stands there already when
 * the decision begins is of others.
 */
export async function trackDecision(
  { body }: HookPayload,
  { env }: Pick<AgentContext, 'env'>,
): Promise<FindDecision | undefined> {
  const path = await findOwn(nameTranscript(body), env);
  if (path === undefined) return undefined;
  const subject = JSON.stringify([body['tool_name'], body['tool_input']]);
  const from = await useFile(path, async (file) => (await file.stat()).size);
  return async (decision) => {
    const records = await useFile(path, (file) => readRecords(file, from));
    // One like it that was over before is another one.
    const before = records.flatMap(({ record, isNew }) => (isNew ? [] : listResults(record)));
    const calls = records.flatMap(({ record }) => listCalls(record, subject));
    const ids = new Set(calls.filter((id) => !before.includes(id)));
    for (const { record, isNew } of records) {
      const { type, toolUseID, hookEvent, decision: made } = asObject(record['attachment']);
      const isIts = type === 'hook_permission_decision' && hookEvent === 'PermissionRequest';
      if (isNew && isIts && ids.has(String(toolUseID))) return made === decision ? 'taken' : 'gone';
    }
    // Of several calls that are alike nobody can tell which one a person has answered.
    const isOther = ({ record, isNew }: Read): boolean => isNew && isByOthers(record, ids);
    return ids.size === 1 && records.some(isOther) ? 'gone' : undefined;
  };
}

/** What a sub-agent does stands in a file of its own, below the conversation's (2.1.325). */
function nameTranscript(body: HookPayload['body']): string | undefined {
  const path = asText(body['transcript_path']);
  const agent = asText(body['agent_id']);
  if (path === undefined || agent === undefined) return path;
  if (!/^[\w-]+$/.test(agent)) return undefined;
  return join(path.replace(/\.jsonl$/, ''), 'subagents', `agent-${agent}.jsonl`);
}

/**
 * The hook's body names the file, and whoever has the agent's token writes the body: only a
 * transcript of the agent's own Claude Code is read, wherever links lead.
 */
async function findOwn(
  named: string | undefined,
  env: AgentContext['env'],
): Promise<string | undefined> {
  if (named === undefined || !isAbsolute(named) || !named.endsWith('.jsonl')) return undefined;
  try {
    const [path, projects] = await Promise.all([realpath(named), realpath(projectsFolder(env))]);
    return path.startsWith(`${projects}/`) && path.endsWith('.jsonl') ? path : undefined;
  } catch (error) {
    // What is not there, or is a circle of links, shows nothing; any other error might (rule 41).
    if (!['ENOENT', 'ENOTDIR', 'ELOOP'].includes(codeOf(error) ?? '')) throw error;
    return undefined;
  }
}

interface Read {
  readonly record: Json;
  /** Written since the decision began. */
  readonly isNew: boolean;
}

/** Before that the call itself stands: a question is asked right behind it. */
const backBytes = 2 * 1024 * 1024;
const mostBytes = 4 * 1024 * 1024;

type File = Awaited<ReturnType<typeof openFile>>;

async function readRecords(file: File, from: number): Promise<readonly Read[]> {
  const start = Math.max(0, from - backBytes);
  const { size } = await file.stat();
  const bytes = Buffer.alloc(Math.max(0, Math.min(size - start, mostBytes)));
  const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
  const found: Read[] = [];
  for (let at = 0; at < bytesRead; ) {
    const end = bytes.indexOf(10, at);
    // The last line may still be written.
    if (end < 0 || end >= bytesRead) break;
    const line = bytes.toString('utf8', at, end);
    const isNew = start + at >= from;
    at = end + 1;
    if (!/"(?:tool_use|tool_result|hook_permission_decision)"/.test(line)) continue;
    const record = parseObject(line);
    if (record) found.push({ record, isNew });
  }
  return found;
}

function listCalls(record: Json, subject: string): readonly string[] {
  return listContent(record).flatMap(({ type, id, name, input }) =>
    type === 'tool_use' && JSON.stringify([name, input]) === subject ? [String(id)] : [],
  );
}

function listResults(record: Json): readonly string[] {
  return listContent(record).flatMap(({ type, tool_use_id: id }) =>
    type === 'tool_result' ? [String(id)] : [],
  );
}

function isByOthers(record: Json, ids: ReadonlySet<string>): boolean {
  const { source } = asObject(record['permissionDecision']);
  if (source === undefined || source === 'hook') return false;
  return listContent(record).some(({ tool_use_id: id }) => ids.has(String(id)));
}

function listContent(record: Json): readonly Json[] {
  return asArray(asObject(record['message'])['content']).map(asObject);
}

async function useFile<T>(path: string, read: (file: File) => Promise<T>): Promise<T> {
  const file = await openFile(path);
  try {
    return await read(file);
  } finally {
    await file.close();
  }
}
