import { existsSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { partVariables } from '../../fleet/admit-profile.ts';
import type { Profile } from '../../profiles/profile.ts';
import type { TrustChanges } from '../../protocol/trust.ts';
import type { openProviderShelf } from '../../providers/registry.ts';
import { Fault } from '../../shared/fault.ts';
import type { WorkingFile } from '../../trust/working-file.ts';

interface Known {
  readonly providers: ReturnType<typeof openProviderShelf>;
  /** For a profile that names no provider. */
  readonly usual: string;
  /** The top of the project that it belongs to. */
  readonly root: string;
}

/**
 * What a person should know of a profile before it counts: all that it decides, and of variables
 * the names alone.
 */
export async function describeProfile(
  profile: Profile,
  { providers, usual, root }: Known,
): Promise<TrustChanges> {
  const { name, model, permission, permissionMode, allowedTools, worktree, isOverHttp } = profile;
  const provider = profile.provider ?? usual;
  const { env, mcpServers, leftOut } = partVariables(profile);
  const mode = permissionMode ?? permission;
  const held =
    permissionMode === undefined ? permission : await scale(permissionMode, provider, providers);
  return {
    ...{ name, provider },
    ...(model === undefined ? {} : { model }),
    ...(mode === undefined ? {} : { permission: mode }),
    ...(held === 'all' ? { asksNobody: true } : {}),
    ...listed('allowedTools', allowedTools),
    ...listed(
      'mcpServers',
      Object.entries(mcpServers).map((one) => describeServer(one, root)),
    ),
    ...listed('env', Object.keys(env)),
    ...listed('leftOut', leftOut),
    ...(worktree === undefined ? {} : { worktree }),
    ...(isOverHttp ? { toolsOver: 'http' } : {}),
    ...(profile.hasRemoteApprovals ? { approvals: 'remote' } : {}),
    instructions: Buffer.byteLength(profile.instructions),
  };
}

/** Of `.worktreeinclude`. */
export function describeList({ bytes }: WorkingFile): TrustChanges {
  const lines = bytes.toString().split('\n');
  return { patterns: lines.filter((line) => line.trim() !== '' && !line.startsWith('#')) };
}

function listed<Key extends string>(
  key: Key,
  values: readonly string[],
): { readonly [K in Key]?: readonly string[] } {
  return values.length === 0 ? {} : ({ [key]: values } as { [K in Key]: readonly string[] });
}

function describeServer(
  [name, server]: [string, Profile['mcpServers'][string]],
  root: string,
): string {
  if ('url' in server) {
    const sent = Object.keys(server.headers ?? {});
    return `${name}: ${server.url}${sent.length > 0 ? ` (sends ${sent.join(', ')})` : ''}`;
  }
  const words = [server.command, ...(server.args ?? [])].map((word) =>
    /^[^\s"'\\]+$/.test(word) ? word : JSON.stringify(word),
  );
  const set = Object.keys(server.env ?? {});
  const own = findOwnFiles([server.command, ...(server.args ?? [])], root);
  const notes = [
    ...(set.length > 0 ? [`sets ${set.join(', ')}`] : []),
    ...(own.length > 0
      ? [`runs ${own.join(', ')} of this project, whatever it contains then`]
      : []),
  ];
  return `${name}: ${words.join(' ')}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}`;
}

/**
 * Words of a command that lead to files of the project. Their bytes are no part of what is trusted:
 * such a program loads further files, and its CLI starts it when it likes, long after anybody could
 * compare them. So a person is told instead.
 */
function findOwnFiles(words: readonly string[], root: string): readonly string[] {
  return words.filter((word) => {
    const path = word.replace(/^--?[\w-]+=/, '');
    if (/^\.\.?\//.test(path)) return true;
    const way = relative(root, resolve(root, path));
    const isInside = way !== '' && way !== '..' && !way.startsWith('../') && !isAbsolute(way);
    return isInside && (isAbsolute(path) || existsSync(join(root, path)));
  });
}

/**
 * A mode that we do not know counts as the most there is, here as for agents that launch others.
 */
async function scale(
  mode: string,
  provider: string,
  providers: Known['providers'],
): Promise<string> {
  try {
    const { permissions } = (await providers.find(provider)).capabilities;
    return Object.hasOwn(permissions, mode) ? (permissions[mode] ?? 'all') : 'all';
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return 'all';
  }
}
