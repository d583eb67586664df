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
}

/** What a person should know of a profile before it counts: all that it decides, and of variables the names alone. */
export async function describeProfile(
  profile: Profile,
  { providers, usual }: Known,
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
    ...listed('mcpServers', Object.entries(mcpServers).map(describeServer)),
    ...listed('env', Object.keys(env)),
    ...listed('leftOut', leftOut),
    ...(worktree === undefined ? {} : { worktree }),
    ...(isOverHttp ? { toolsOver: 'http' } : {}),
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

function describeServer([name, server]: [string, Profile['mcpServers'][string]]): string {
  if ('url' in server) {
    const sent = Object.keys(server.headers ?? {});
    return `${name}: ${server.url}${sent.length > 0 ? ` (sends ${sent.join(', ')})` : ''}`;
  }
  const words = [server.command, ...(server.args ?? [])].map((word) =>
    /^[^\s"'\\]+$/.test(word) ? word : JSON.stringify(word),
  );
  const set = Object.keys(server.env ?? {});
  return `${name}: ${words.join(' ')}${set.length > 0 ? ` (sets ${set.join(', ')})` : ''}`;
}

/** A mode that we do not know counts as the most there is, here as for agents that launch others. */
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
