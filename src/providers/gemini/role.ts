import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Permission } from '../../agents/permission.ts';
import { asArray, asObject, type Json } from '../../shared/json.ts';
import type { LaunchPlan, LaunchRequest } from '../launch-plan.ts';
import { type Modes, readModeOption } from '../modes.ts';
import { addServers, limitOf, listServers, ownServer, type Server } from '../servers.ts';

/** Of 0.61.0. */
export const modes: Modes = {
  plan: mode('plan', 'read-only'),
  default: mode('default', 'ask'),
  auto_edit: mode('auto_edit', 'edit'),
  yolo: mode('yolo', 'all'),
};

/** Beside the settings, in the home of this run. */
const roleFile = 'signalbox-role.md';
/** Its own name, so that it is no file of the user's. */
const rulesFile = 'signalbox-rules.toml';

/**
 * What tools and role add to the copy of the user's settings. Ours are trusted, which holds in
 * every mode but `plan`, and allowed by a rule, which holds there as well. Files of rules that are
 * named replace the user's own folder of them, so that is named, too (0.61.0). The role is one more
 * file of instructions, of a name that no project has.
 */
export function addRole(settings: Json, request: LaunchRequest, folder: string): Json {
  const { role, runFolder } = request;
  const servers = listServers(request, (variable) => `\${${variable}}`);
  const theirContext = asObject(settings['context']);
  const own = join(folder, 'policies');
  const theirRules = asArray(settings['policyPaths']);
  return {
    ...settings,
    ...addServers(settings, servers, (name, server) => describe(request, name, server)),
    ...(describeRules(request) === ''
      ? {}
      : {
          policyPaths: [
            ...(theirRules.length > 0 ? theirRules : existsSync(own) ? [own] : []),
            join(runFolder, runHome, rulesFile),
          ],
        }),
    ...(role.instructions === undefined
      ? {}
      : { context: { ...theirContext, fileName: [...contextFiles(theirContext), roleFile] } }),
  };
}

/** Below the run folder: the `.gemini` of this run. */
export const runHome = 'home/.gemini';

export function writeRole(request: LaunchRequest): LaunchPlan['files'] {
  const { instructions } = request.role;
  const rules = describeRules(request);
  return [
    ...(rules === '' ? [] : [{ path: `${runHome}/${rulesFile}`, text: rules }]),
    ...(instructions === undefined
      ? []
      : [{ path: `${runHome}/${roleFile}`, text: `${instructions}\n` }]),
  ];
}

/**
 * A tool of the role is its name, and for the shell a beginning of the command:
 * `run_shell_command(git status)`.
 */
function describeRules({ role, tools }: LaunchRequest): string {
  const own = tools ? [{ toolName: '*', mcpName: ownServer }] : [];
  const theirs = (role.allowedTools ?? []).map((tool) => {
    const [, toolName, commandPrefix] = /^([^()]+)\((.*)\)$/.exec(tool) ?? [];
    return toolName && commandPrefix ? { toolName, commandPrefix } : { toolName: tool };
  });
  const rules = [...own, ...theirs].map((rule) =>
    Object.entries({ ...rule, decision: 'allow', priority: rulePriority })
      .map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`)
      .join(''),
  );
  return rules.map((rule) => `[[rule]]\n${rule}`).join('\n');
}

/** Of 0 to 999, among the rules of users. */
const rulePriority = 200;

export function readPermission(extraArgs: readonly string[]): Permission | undefined {
  const bypasses = ['--yolo', '-y'];
  return readModeOption(modes, extraArgs, { option: '--approval-mode', bypasses });
}

function mode(name: string, permission: Modes[string]['permission']): Modes[string] {
  return { permission, args: ['--approval-mode', name] };
}

function contextFiles({ fileName }: Json): readonly unknown[] {
  if (typeof fileName === 'string') return [fileName];
  const names = asArray(fileName);
  return names.length === 0 ? ['GEMINI.md'] : names;
}

/** Variables with a secret's name reach a server only by being named (0.61.0). */
function describe(request: LaunchRequest, name: string, server: Server): object {
  const { kind: _, ...where } = server;
  const place = 'url' in where ? { httpUrl: where.url, headers: where.headers } : where;
  const trust = name === ownServer ? { trust: true } : {};
  return { ...place, ...limitOf(name, request, 'timeout'), ...trust };
}
