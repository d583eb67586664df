import type { Permission } from '../../agents/permission.ts';
import { asArray, asObject, type Json } from '../../shared/json.ts';
import type { LaunchRequest } from '../launch-plan.ts';
import { chooseModeArgs, type Modes, readModeOption } from '../modes.ts';
import { hasOption } from '../options.ts';
import { addServers, limitOf, listServers, ownServer, type Server } from '../servers.ts';

/** Of 0.24.4. `auto` lets a classifier decide, and commands run unasked. */
export const modes: Modes = {
  plan: mode('plan', 'read-only'),
  default: mode('default', 'ask'),
  'auto-edit': mode('auto-edit', 'edit'),
  yolo: mode('yolo', 'all'),
  auto: mode('auto', 'all'),
};

/**
 * What tools and role add to the lowest layer of settings: servers of all layers are there, and
 * allowed tools add up.
 */
export function addRole(settings: Json, request: LaunchRequest): Json {
  const { role } = request;
  const servers = listServers(request, (variable) => `\${${variable}}`);
  const permissions = asObject(settings['permissions']);
  const allow = [...asArray(permissions['allow']), ...(role.allowedTools ?? [])];
  return {
    ...settings,
    ...addServers(settings, servers, (name, server) => describe(request, name, server)),
    ...(allow.length === 0 ? {} : { permissions: { ...permissions, allow } }),
  };
}

export function roleArguments(
  { role }: LaunchRequest,
  person: readonly string[],
): readonly string[] {
  const hasMode = hasOption(person, ['--approval-mode', '--yolo', '-y']);
  const isTold = role.instructions === undefined || hasOption(person, [appendOption]);
  return [
    ...(isTold ? [] : [`${appendOption}=${role.instructions}`]),
    ...(hasMode ? [] : chooseModeArgs(modes, role, '--approval-mode')),
  ];
}

export const appendOption = '--append-system-prompt';

export function readPermission(extraArgs: readonly string[]): Permission | undefined {
  const bypasses = ['--yolo', '-y'];
  return readModeOption(modes, extraArgs, { option: '--approval-mode', bypasses });
}

function mode(name: string, permission: Modes[string]['permission']): Modes[string] {
  return { permission, args: ['--approval-mode', name] };
}

function describe(request: LaunchRequest, name: string, server: Server): object {
  const { kind: _, ...where } = server;
  const place = 'url' in where ? { httpUrl: where.url, headers: where.headers } : where;
  // Otherwise a person is asked for each call, and a model must first search for the tools.
  const ours = name === ownServer ? { trust: true, alwaysLoadTools: true } : {};
  return { ...place, ...limitOf(name, request, 'timeout'), ...ours };
}
