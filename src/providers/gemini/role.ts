import { asArray, asObject, type Json } from '../../shared/json.ts';
import type { Modes } from '../modes.ts';
import type { LaunchPlan, LaunchRequest } from '../provider.ts';
import { limitOf, listServers, ownServer, type Server } from '../servers.ts';

/** Of 0.61.0. */
export const modes: Modes = {
  plan: mode('plan', 'read-only'),
  default: mode('default', 'ask'),
  auto_edit: mode('auto_edit', 'edit'),
  yolo: mode('yolo', 'all'),
};

/** Beside the settings, in the home of this run. */
const roleFile = 'signalbox-role.md';

/**
 * What tools and role add to the copy of the user's settings. Ours are trusted, which holds in every mode but `plan`, and
 * allowed by name, which holds there as well. A file with a rule (`--policy`) would displace the user's own rules. The role is
 * one more file of instructions, of a name that no project has (0.61.0).
 */
export function addRole(settings: Json, request: LaunchRequest): Json {
  const { role, tools } = request;
  const servers = listServers(request, (variable) => `\${${variable}}`);
  const allowed = [...(role.allowedTools ?? []), ...(tools ? [`mcp_${ownServer}_*`] : [])];
  const theirTools = asObject(settings['tools']);
  const theirContext = asObject(settings['context']);
  return {
    ...settings,
    ...(servers.length === 0
      ? {}
      : {
          mcpServers: {
            ...asObject(settings['mcpServers']),
            ...Object.fromEntries(
              servers.map(([name, server]) => [name, describe(request, name, server)]),
            ),
          },
        }),
    ...(allowed.length === 0
      ? {}
      : { tools: { ...theirTools, allowed: [...asArray(theirTools['allowed']), ...allowed] } }),
    ...(role.instructions === undefined
      ? {}
      : { context: { ...theirContext, fileName: [...contextFiles(theirContext), roleFile] } }),
  };
}

export function writeRole({ role }: LaunchRequest, folder: string): LaunchPlan['files'] {
  return role.instructions === undefined
    ? []
    : [{ path: `${folder}/${roleFile}`, text: `${role.instructions}\n` }];
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
