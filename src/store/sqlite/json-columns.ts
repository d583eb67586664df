import { parsePermission } from '../../agents/permission.ts';
import type { Role, Worktree } from '../../agents/role.ts';
import type { Waiter } from '../../messages/debt.ts';
import type { PartHold } from '../../messages/part-store.ts';
import { type Json, parseJson } from '../../shared/json.ts';
import type { ProcessIdentity } from '../../shared/processes.ts';

/**
 * What the JSON columns may hold. Each reader gives undefined for anything else: a row that another
 * program, a bad disk or an older mistake of ours has spoilt must not fail a list of all rows.
 * Unknown fields are kept, since a later version may have written them.
 */

export function readTexts(text: string): readonly string[] | undefined {
  const value = parseJson(text);
  return isTexts(value) ? value : undefined;
}

export function readRole(text: string): Role | undefined {
  const value = parseJson(text);
  if (!isMap(value)) return undefined;
  const { permission, trusted, allowedTools, mcpServers, isOverHttp } = value;
  const flags = [isOverHttp, value['takesTasksAsPrompts'], value['hasRemoteApprovals']];
  const isSound =
    roleTexts.every((name) => isOptional(value[name], isText)) &&
    isOptional(permission, (word) => isText(word) && parsePermission(word) !== undefined) &&
    isOptional(trusted, isTrusted) &&
    isOptional(value['idleStopMs'], isNumber) &&
    isOptional(allowedTools, isTexts) &&
    isOptional(mcpServers, (servers) => isMap(servers) && Object.values(servers).every(isServer)) &&
    flags.every((flag) => isOptional(flag, (set) => typeof set === 'boolean'));
  return isSound ? (value as Role) : undefined;
}

const roleTexts = ['profile', 'profilePath', 'instructions', 'permissionMode', 'launchesIn'];

export function readWorktree(text: string): Worktree | undefined {
  const value = parseJson(text);
  const names = ['path', 'branch', 'repository', 'base'];
  return isMap(value) && names.every((name) => isText(value[name]))
    ? (value as unknown as Worktree)
    : undefined;
}

export function readWaiter(text: string): Waiter | undefined {
  const value = parseJson(text);
  const isSound =
    isMap(value) &&
    isHeld(value) &&
    isNumber(value['sinceMs']) &&
    isOptional(value['takesReports'], (flag) => flag === true);
  return isSound ? (value as unknown as Waiter) : undefined;
}

export function readHold(text: string): PartHold | undefined {
  const value = parseJson(text);
  const isSound = isMap(value) && isHeld(value) && isNumber(value['takenAtMs']);
  return isSound ? (value as unknown as PartHold) : undefined;
}

function isHeld({ id, holder, leaseMs }: Json): boolean {
  return isText(id) && isHolder(holder) && isNumber(leaseMs);
}

function isHolder(value: unknown): value is ProcessIdentity {
  if (!isMap(value)) return false;
  const names = ['host', 'boot', 'pidSpace', 'startedAt'];
  return names.every((name) => isText(value[name])) && isNumber(value['pid']);
}

function isTrusted(value: unknown): boolean {
  return isMap(value) && ['path', 'kind', 'sha256'].every((name) => isText(value[name]));
}

function isServer(value: unknown): boolean {
  if (!isMap(value)) return false;
  const { command, args, env, url, headers } = value;
  if (url !== undefined) return isText(url) && isOptional(headers, isTextMap);
  return isText(command) && isOptional(args, isTexts) && isOptional(env, isTextMap);
}

function isOptional(value: unknown, isSound: (value: unknown) => boolean): boolean {
  return value === undefined || isSound(value);
}

function isMap(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTextMap(value: unknown): boolean {
  return isMap(value) && Object.values(value).every(isText);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}
