import { basename } from 'node:path';
import { parsePermission } from '../agents/permission.ts';
import { quote } from '../shared/quote.ts';
import { parseSpan } from '../shared/units.ts';
import { createValueReader, type ValueReader } from '../shared/value-reader.ts';
import { mendProfile, partFrontMatter } from './front-matter.ts';
import { parseServers, parseTexts } from './parse-servers.ts';
import type { Profile, ProfileOrigin } from './profile.ts';

/**
 * What is read here. Fields beside these are kept and reported, and stop nobody: files of other
 * programs have many.
 */
const known = [
  'name',
  'description',
  'provider',
  'model',
  'role',
  'allowedTools',
  'mcpServers',
  'env',
  'worktree',
  'notify',
  'permissionMode',
  'toolsOver',
  'approvals',
  'tasks',
  'idleStop',
  'tags',
];

/** Shorter than an agent's, which is made of it and a number. */
const nameForm = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]{0,55}$/u;
const line = /^[^\0\r\n]{1,1000}$/;
const word = /^[^\s\0]{1,200}$/;
const mostEntries = 200;

export async function parseProfile(
  text: string,
  { path, origin }: Pick<Profile, 'path' | 'origin'>,
): Promise<Profile> {
  const { fields, body } = await partFrontMatter(text, path);
  const reader = createValueReader(path, mendProfile);
  const remarks: string[] = [];
  const remark = (said: string): void => void remarks.push(said);
  const optional = <T>(key: string, read: (value: unknown, place: string) => T): T | undefined => {
    const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
    return value === undefined || value === null ? undefined : read(value, key);
  };
  const textAs = (form: RegExp) => (value: unknown, place: string) =>
    reader.text(value, place, form);

  const name = (optional('name', textAs(nameForm)) ?? stem(path, reader)).normalize('NFC');
  const provider = optional('provider', textAs(word));
  const model = optional('model', textAs(word));
  // As what texts arrive is never for a working folder to say (rules 46, 51).
  const isOwn = origin === 'user' || origin === 'built-in';
  const unknown = Object.fromEntries(
    Object.entries(fields).filter(([key]) => !known.includes(key) || (key === 'tasks' && !isOwn)),
  );
  for (const key of Object.keys(unknown)) remark(describeUnknown(key, origin));
  return {
    name,
    description:
      optional('description', (value, place) => flatten(reader.text(value, place))) ?? '',
    origin,
    path,
    ...defined({
      provider: provider === undefined ? usualProvider(origin) : translateProvider(provider),
      // Of a sub-agent of Claude Code: the model of whoever calls it, of whom there is none here.
      model: model === 'inherit' ? undefined : model,
      role: optional('role', textAs(line)),
      ...parseMode(optional('permissionMode', textAs(word))),
      worktree: optional('worktree', (value, place) => parseFlag(value, place, reader)),
      notify: optional('notify', (value, place) => parseFlag(value, place, reader)),
      isOverHttp: optional(
        'toolsOver',
        (value, place) => reader.choice(value, place, ['stdio', 'http']) === 'http',
      ),
      hasRemoteApprovals: optional(
        'approvals',
        (value, place) => reader.choice(value, place, ['terminal', 'remote']) === 'remote',
      ),
      idleStopMs: optional('idleStop', (value, place) => parseIdleStop(value, place, reader)),
      takesTasksAsPrompts: isOwn
        ? optional(
            'tasks',
            (value, place) => reader.choice(value, place, ['notice', 'prompt']) === 'prompt',
          )
        : undefined,
    }),
    instructions: body,
    allowedTools: parseTools(
      optional('allowedTools', (value, place) => parseList(value, place, reader)) ?? [],
      remark,
    ),
    mcpServers: optional('mcpServers', (value) => parseServers(value, reader, remark)) ?? {},
    env: optional('env', (value, place) => parseTexts(value, place, reader)) ?? {},
    tags: optional('tags', (value, place) => parseList(value, place, reader)) ?? [],
    unknown,
    remarks,
  };
}

/** Files in `.claude/agents` are Claude Code's own, whatever the usual provider is. */
function usualProvider(origin: ProfileOrigin): string | undefined {
  return origin === 'claude-agents' ? 'claude-code' : undefined;
}

/** cli-agent-orchestrator writes `claude_code`, `gemini_cli`, `opencode_cli`. */
function translateProvider(text: string): string {
  const name = text.toLowerCase().replaceAll('_', '-');
  return foreignProviders.get(name) ?? name;
}

const foreignProviders: ReadonlyMap<string, string> = new Map([
  ['opencode-cli', 'opencode'],
  ['kimi-cli', 'kimi'],
  ['qwen-cli', 'qwen'],
  ['codex-cli', 'codex'],
]);

/**
 * A word of our scale means the same for every CLI; anything else is the CLI's own name of a mode.
 */
function parseMode(text: string | undefined): Pick<Profile, 'permission' | 'permissionMode'> {
  if (text === undefined) return {};
  const permission = parsePermission(text);
  return permission ? { permission } : { permissionMode: text };
}

/**
 * cli-agent-orchestrator has words of its own for tools, which no CLI knows, and allows its own
 * server by name.
 */
const foreignTools = /^(@.*|execute_bash|fs_(read|write|list|\*))$/;

function parseTools(tools: readonly string[], remark: (text: string) => void): readonly string[] {
  const foreign = tools.filter((tool) => foreignTools.test(tool));
  if (foreign.length > 0) {
    remark(`allowedTools: ${foreign.join(', ')} kept out: no tool of a CLI has that name`);
  }
  return tools.filter((tool) => !foreignTools.test(tool));
}

/** A YAML list, or the same with commas. `Bash(git log:*, git diff:*)` is one entry. */
function parseList(value: unknown, place: string, reader: ValueReader): readonly string[] {
  const entries = typeof value === 'string' ? value.split(/,(?![^(]*\))/) : value;
  return reader
    .list(entries, place, mostEntries)
    .map((entry, at) => reader.text(entry, `${place}[${at}]`).trim())
    .filter((entry) => entry !== '')
    .map((entry, at) => reader.text(entry, `${place}[${at}]`, line));
}

function parseFlag(value: unknown, place: string, reader: ValueReader): boolean {
  return typeof value === 'boolean' ? value : reader.refuse(place, 'it is true or false');
}

function parseIdleStop(value: unknown, place: string, reader: ValueReader): number {
  // Some YAML readers take `off` for false, and people write for them.
  if (value === false || value === 0 || value === 'off' || value === '0') return 0;
  const ms = typeof value === 'string' ? parseSpan(value) : undefined;
  return ms ?? reader.refuse(place, 'it is a span such as `10m`, or `off`');
}

function stem(path: string, reader: ValueReader): string {
  return reader.text(basename(path).replace(/\.md$/i, ''), 'its file name as `name`', nameForm);
}

function describeUnknown(key: string, origin: ProfileOrigin): string {
  const shown = quote(key, 60);
  // There it limits what a sub-agent has; to allow those tools without a dialog would turn it
  // round.
  if (key === 'tools' && origin === 'claude-agents') {
    return `${shown} limits Claude Code’s own sub-agents: not used; \`allowedTools\` allows tools by name`;
  }
  if (key === 'tasks') return `${shown} counts in a profile of your own alone: not used`;
  return `${shown} is not known here: kept, and not used`;
}

function flatten(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 1000);
}

function defined<T extends object>(fields: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  const set = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as { [Key in keyof T]?: Exclude<T[Key], undefined> };
}
