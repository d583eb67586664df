import type { TrustedSource } from '../agents/role.ts';
import type { Profile } from '../profiles/profile.ts';
import type { TrustBook } from '../trust/book.ts';
import { findForbidden } from '../trust/forbidden-variables.ts';
import { requireTrusted } from '../trust/require-trusted.ts';

export interface Admitted {
  readonly profile: Profile;
  /** Of one that needs trust. */
  readonly trusted?: TrustedSource;
  /** What of it does not count, in one sentence each. */
  readonly remarks: readonly string[];
}

/**
 * The one way from a profile to a launch (rule 46), whoever asks for it. The user's own and the
 * built-in ones pass as they are. One of a working folder passes only if the user has trusted
 * exactly these bytes, and never with variables that decide what is executed, neither for the agent
 * nor for its MCP servers.
 */
export function admitProfile(book: Pick<TrustBook, 'judge'>, profile: Profile): Admitted {
  const { source } = profile;
  if (!source) return { profile, remarks: [] };
  const trusted = requireTrusted(book, source);
  const { leftOut, ...kept } = partVariables(profile);
  if (leftOut.length === 0) return { profile, trusted, remarks: [] };
  const names = leftOut.join(', ');
  const remark = `${names} of ${source.path} left out: a project never decides what is executed`;
  return { profile: { ...profile, ...kept }, trusted, remarks: [remark] };
}

/** What may come from a working folder, and the names of what may not. */
export function partVariables({ env, mcpServers }: Pick<Profile, 'env' | 'mcpServers'>): Pick<
  Profile,
  'env' | 'mcpServers'
> & {
  readonly leftOut: readonly string[];
} {
  const leftOut: string[] = [];
  const part = (variables: Profile['env'], place: string): Profile['env'] => {
    const entries = Object.entries(variables);
    leftOut.push(...entries.filter(([name]) => !mayCome(name)).map(([name]) => `${place}${name}`));
    return Object.fromEntries(entries.filter(([name]) => mayCome(name)));
  };
  const own = part(env, '');
  const servers = Object.entries(mcpServers).map(([name, server]) => {
    if (!('command' in server) || server.env === undefined) return [name, server] as const;
    return [name, { ...server, env: part(server.env, `mcpServers.${name}.`) }] as const;
  });
  return { env: own, mcpServers: Object.fromEntries(servers), leftOut };
}

/**
 * A name with `=` in it would be another one's value: `PATH=./bin:` is PATH to the program that
 * gets it.
 */
function mayCome(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && findForbidden(name) === undefined;
}
