import type { Permission } from '../../agents/permission.ts';
import { noteLacks } from '../lacks.ts';
import type { Lack, LaunchPlan, LaunchRequest } from '../launch-plan.ts';
import { chooseMode, type Modes } from '../modes.ts';
import { findOption, hasOption } from '../options.ts';
import { limitOf, listServers, ownServer, type Server } from '../servers.ts';
import { readDeveloperInstructions } from './developer-instructions.ts';

/**
 * Of 0.166.0, named by sandbox, or by what asks. In `read-only` nobody is asked, and what is not
 * reading fails.
 */
export const modes: Modes = {
  'read-only': mode('read-only', 'read-only', 'never'),
  'on-request': mode('ask', 'read-only', 'on-request'),
  // Commands run unasked as well, as far as the sandbox lets them.
  'workspace-write': mode('edit', 'workspace-write', 'on-request'),
  'danger-full-access': mode('all', 'danger-full-access', 'never'),
};

/**
 * What tools and role add to a start: configuration, for whoever of the two halves holds it, and
 * arguments for the terminal program. Nothing can be allowed by name but servers (0.166.0).
 */
export function planRole(
  request: LaunchRequest,
  person: readonly string[],
): {
  readonly settings: readonly string[];
  readonly args: readonly string[];
} & Pick<LaunchPlan, 'lacks'> {
  const { role } = request;
  const servers = listServers(request, () => '');
  const spelled = servers.filter(([name]) => plainKey.test(name));
  const told = describeInstructions(request, person);
  const asked = role.permission !== undefined || role.permissionMode !== undefined;
  const isChosen = hasOption(person, permissionOptions);
  const chosen = chooseMode(modes, role);
  const missing: readonly Lack[] = [
    'allowedTools',
    ...(told === undefined ? (['instructions'] as const) : []),
    ...(spelled.length < servers.length ? (['mcpServers'] as const) : []),
    ...(asked && !chosen && !isChosen ? (['permission'] as const) : []),
  ];
  const lines = [
    ...spelled.flatMap(([name, server]) => describeServer(request, name, server)),
    ...(told ?? []),
  ];
  return {
    settings: lines.flatMap((line) => ['-c', line]),
    args: isChosen ? [] : (chosen?.args ?? []),
    ...noteLacks(request, missing),
  };
}

/** Without a word about the sandbox nothing can be told. */
export function readPermission(extraArgs: readonly string[]): Permission | undefined {
  if (hasOption(extraArgs, ['--dangerously-bypass-approvals-and-sandbox'])) return 'all';
  const sandbox = findOption(extraArgs, ['-s', '--sandbox']);
  if (sandbox === undefined) return undefined;
  const approval = findOption(extraArgs, ['-a', '--ask-for-approval']);
  if (sandbox === 'read-only' && approval !== 'never') return 'ask';
  return Object.hasOwn(modes, sandbox) ? modes[sandbox]?.permission : 'all';
}

const permissionOptions = [
  ...['-a', '--ask-for-approval', '-s', '--sandbox', '--approve-for-me'],
  '--dangerously-bypass-approvals-and-sandbox',
];
/** Codex splits the path before `=` at its dots, and knows no quotes there. */
const plainKey = /^[A-Za-z0-9_-]+$/;
/** Seconds. Ten are the default; a busy machine takes longer to start a program. */
const startSeconds = 30;

function mode(
  permission: Modes[string]['permission'],
  sandbox: string,
  approval: string,
): Modes[string] {
  return { permission, args: ['-s', sandbox, '-a', approval] };
}

/** Undefined when they cannot be given beside the user's own. */
function describeInstructions(
  { role, env }: LaunchRequest,
  person: readonly string[],
): readonly string[] | undefined {
  if (role.instructions === undefined) return [];
  // A profile of Codex's own may hold others, and what a person writes after `--` wins.
  const isTold = person.some((arg) => arg.includes('developer_instructions'));
  if (isTold || hasOption(person, ['-p', '--profile'])) return undefined;
  const theirs = readDeveloperInstructions(env);
  if (theirs === undefined) return undefined;
  const both = [theirs, role.instructions].filter((text) => text.trim() !== '');
  return [`developer_instructions=${quote(both.join('\n\n'))}`];
}

/** It hands on to a server only the variables that it is told to. */
function describeServer(request: LaunchRequest, name: string, server: Server): readonly string[] {
  const { tools } = request;
  const isOurs = name === ownServer && tools !== undefined;
  const { seconds } = limitOf(name, request, 'seconds');
  const values: Readonly<Record<string, string>> = {
    ...(server.kind === 'http'
      ? {
          url: quote(server.url),
          ...(isOurs
            ? { bearer_token_env_var: quote(tools.http?.tokenVariable ?? '') }
            : { http_headers: quoteTable(server.headers) }),
        }
      : {
          command: quote(server.command),
          args: quoteList(server.args),
          ...(isOurs
            ? { env_vars: quoteList(Object.keys(server.env)) }
            : { env: quoteTable(server.env) }),
        }),
    ...(isOurs ? { default_tools_approval_mode: quote('approve') } : {}),
    ...(seconds === undefined ? {} : { tool_timeout_sec: String(Math.ceil(seconds / 1000)) }),
    startup_timeout_sec: String(startSeconds),
  };
  return Object.entries(values).map(([key, value]) => `mcp_servers.${name}.${key}=${value}`);
}

/** A TOML basic string has JSON's escapes, but for DEL. */
function quote(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}

function quoteList(texts: readonly string[]): string {
  return `[${texts.map(quote).join(', ')}]`;
}

function quoteTable(table: Readonly<Record<string, string>>): string {
  const entries = Object.entries(table).map(([key, value]) => `${quote(key)} = ${quote(value)}`);
  return `{ ${entries.join(', ')} }`;
}
