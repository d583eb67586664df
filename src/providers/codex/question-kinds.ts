import { isDeepStrictEqual } from 'node:util';
import { asArray, asObject, asText, type Json } from '../../shared/json.ts';
import { type Fact, tellFacts } from '../question-text.ts';
import type { CliQuestion, Decision } from '../questions.ts';
import { fileChange, type ServerRequest } from './server-requests.ts';

/** What became of what was asked about; `refused`: it was not done, because of a no. */
export type ItemEnd = 'done' | 'refused';

/**
 * Codex's three kinds of approval (0.166.0): of a command, of a change of files, and of an MCP
 * server's tool, which comes as a form of that server. What else it asks (more permissions for a
 * turn, an MCP server's own forms, its question tool) is for the terminal.
 */
export function describeRequest(
  request: ServerRequest,
  isSubAgents: boolean,
): CliQuestion | undefined {
  const told = tell(request);
  if (!told) return undefined;
  return { key: request.key, ...told, ...(isSubAgents ? { isSubAgents } : {}) };
}

/** Once: what it offers beside it holds for longer. */
export function writeAnswer({ method }: ServerRequest, decision: Decision): Json {
  const answer = answers[decision];
  if (method !== form) return { decision: answer };
  return { action: answer, content: decision === 'allow' ? {} : null };
}

/** Undefined for another item's. */
export function readEnd(request: ServerRequest, item: Json): ItemEnd | undefined {
  if (request.method !== form) {
    if (item['id'] !== request.item) return undefined;
    return item['status'] === 'declined' ? 'refused' : 'done';
  }
  // The form does not name its item.
  const { serverName, _meta } = request.params;
  const isIt =
    item['type'] === 'mcpToolCall' &&
    item['server'] === serverName &&
    isDeepStrictEqual(asObject(item['arguments']), asObject(asObject(_meta)['tool_params']));
  if (!isIt) return undefined;
  const why = asText(asObject(item['error'])['message']) ?? '';
  return /^user (rejected|cancelled)/.test(why) ? 'refused' : 'done';
}

const command = 'item/commandExecution/requestApproval';
const form = 'mcpServer/elicitation/request';
const answers: Readonly<Record<Decision, string>> = { allow: 'accept', deny: 'decline' };

type Told = Pick<CliQuestion, 'asks' | 'text' | 'decisions'>;

function tell(request: ServerRequest): Told | undefined {
  if (request.method === command) return tellCommand(request.params);
  if (request.method === fileChange) return tellFiles(request);
  return request.method === form ? tellTool(request.params) : undefined;
}

function tellCommand(params: Json): Told {
  const { command: line, cwd, reason, networkApprovalContext, kind, environmentId } = params;
  const { text, decisions } = tellFacts([
    ['command', line],
    ['network', networkApprovalContext],
    ['folder', cwd],
    ['reason', reason],
    ['kind', kind === 'command' ? undefined : kind],
    ['environment', environmentId === 'local' ? undefined : environmentId],
    ...others(params, knownOfCommands),
  ]);
  const isPlain = networkApprovalContext == null && (kind ?? 'command') === 'command';
  return {
    asks: isPlain && asText(line) !== undefined ? 'command' : 'tool',
    text,
    decisions: decisions.filter((decision) => isOffered(decision, params)),
  };
}

/** Codex does not list `decline`, and takes it. */
function isOffered(decision: Decision, { availableDecisions }: Json): boolean {
  if (decision === 'deny' || availableDecisions == null) return true;
  return asArray(availableDecisions).includes(answers[decision]);
}

/** A root to be granted would be for longer than this once. */
function tellFiles({ params, changes }: ServerRequest): Told {
  const list = asArray(changes).map(asObject);
  const isKnown = list.length > 0 && params['grantRoot'] == null;
  const { text, decisions } = tellFacts([
    ...list.map(tellChange),
    ['changes', list.length > 0 ? undefined : 'not known here; the terminal shows them'],
    ['reason', params['reason']],
    ['grants for the session', params['grantRoot']],
    ...others(params, knownOfFiles),
  ]);
  return {
    asks: 'edit',
    text,
    decisions: isKnown ? decisions : decisions.filter((decision) => decision === 'deny'),
  };
}

/** The file on the first line, and what becomes of it below. */
function tellChange({ path, kind, diff }: Json): Fact {
  const lines = [asText(path), asText(diff)?.replace(/\n$/, '')];
  return [nameKind(kind), lines.filter((line) => line !== undefined).join('\n')];
}

/** `{ type: 'update', move_path }` and the like. */
function nameKind(kind: unknown): string {
  const { type, move_path: to } = asObject(kind);
  const name = asText(type) ?? 'change';
  return asText(to) === undefined ? name : `${name}, and move to ${asText(to)}`;
}

function tellTool({ serverName, message, mode, _meta, requestedSchema }: Json): Told | undefined {
  const { codex_approval_kind: kind, tool_description, tool_params } = asObject(_meta);
  const fields = Object.keys(asObject(asObject(requestedSchema)['properties']));
  if (kind !== 'mcp_tool_call' || mode !== 'form' || fields.length > 0) return undefined;
  const facts: Fact[] = [
    ['question', message],
    ['server', serverName],
    ['input', tool_params],
    ['about', tool_description],
  ];
  return { asks: 'tool', ...tellFacts(facts) };
}

/** Whatever else a version tells, such as a permission beyond the command, is shown as it is. */
function others(params: Json, known: ReadonlySet<string>): readonly Fact[] {
  return Object.entries(params).filter(([name]) => !known.has(name));
}

/**
 * Names, what is told above, and what a yes for this once leaves as it is: rules for the future.
 */
const names = ['threadId', 'turnId', 'itemId', 'startedAtMs', 'reason'];
const knownOfFiles = new Set([...names, 'grantRoot']);
const knownOfCommands = new Set([
  ...names,
  'approvalId',
  'kind',
  'command',
  'cwd',
  'environmentId',
  'networkApprovalContext',
  'availableDecisions',
  'commandActions',
  'proposedExecpolicyAmendment',
  'proposedNetworkPolicyAmendments',
]);
