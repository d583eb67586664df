import { closestName } from '../agents/agent-name.ts';
import type { Role } from '../agents/role.ts';
import { nameOf, type Profile } from '../profiles/profile.ts';
import type { ProfileShelf } from '../profiles/shelf.ts';
import type { Provider } from '../providers/provider.ts';
import { Fault } from '../shared/fault.ts';
import { quote } from '../shared/quote.ts';

/** What names are looked up in. */
export interface TargetParts {
  readonly providers: { readonly names: readonly string[]; find(name: string): Promise<Provider> };
  readonly profiles: Pick<ProfileShelf, 'find' | 'list'>;
  /** For a profile that names no provider. */
  readonly defaultProvider: string;
}

/** What one name says about a launch. */
export interface LaunchTarget {
  readonly provider: string;
  readonly model?: string;
  readonly role: Role;
  /** Of the profile; goes through the same filter as `--env` (B13). */
  readonly env?: Readonly<Record<string, string>>;
  readonly worktree?: boolean;
  readonly notify?: boolean;
}

export interface TargetName {
  readonly name: string;
  /** Whose project's profiles are meant. */
  readonly cwd: string;
}

/**
 * A provider or its short name; else the nearest profile of that name; undefined for neither. A provider wins, so that no file
 * in a project can change what `launch claude` means; `profile:<name>` asks for the profile, `provider:<name>` for the provider.
 */
export async function resolveLaunchTarget(
  parts: TargetParts,
  { name, cwd }: TargetName,
): Promise<LaunchTarget | undefined> {
  const [, profileName] = /^profile:(.*)$/s.exec(name) ?? [];
  const [, providerName] = /^provider:(.*)$/s.exec(name) ?? [];
  if (profileName === undefined) {
    const provider = providerName ?? name;
    const trouble = await parts.providers.find(provider).then(
      () => undefined,
      // Thrown below, unless it is a Fault.
      (error: unknown) => error,
    );
    if (trouble === undefined) return { provider, role: {} };
    if (!(trouble instanceof Fault)) throw trouble;
    if (providerName !== undefined) return undefined;
  }
  const profile = await parts.profiles.find(profileName ?? name, cwd);
  if (profile) return describeTarget(parts, profile);
  if (profileName === undefined) return undefined;
  const found = (await parts.profiles.list(cwd)).map(nameOf);
  throw new Fault(
    'profile-not-found',
    `There is no profile ${quote(profileName)}.`,
    suggest(profileName, found, `There are: ${unique(found).join(', ')}.`),
  );
}

/** The same for whoever must have one. */
export async function requireLaunchTarget(
  parts: TargetParts,
  wanted: TargetName,
): Promise<LaunchTarget> {
  const target = await resolveLaunchTarget(parts, wanted);
  if (target) return target;
  // What is wrong with config.yaml, where that is why no provider was found.
  const trouble = await parts.providers.find(wanted.name).catch((error: unknown) => error);
  if (trouble instanceof Fault && trouble.code !== 'provider-not-found') throw trouble;
  const profiles = unique((await parts.profiles.list(wanted.cwd)).map(nameOf));
  const providers = parts.providers.names;
  throw new Fault(
    'provider-not-found',
    `There is no provider and no profile ${quote(wanted.name)}.`,
    suggest(
      wanted.name,
      [...providers, ...profiles],
      `Providers are ${providers.join(', ')}, and what config.yaml describes; profiles are ${profiles.join(', ')}.`,
    ),
  );
}

async function describeTarget(parts: TargetParts, profile: Profile): Promise<LaunchTarget> {
  const provider = profile.provider ?? parts.defaultProvider;
  try {
    await parts.providers.find(provider);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new Fault(error.code, `The profile "${profile.name}": ${error.message}`, error.next);
  }
  const { model, worktree, notify } = profile;
  return {
    provider,
    role: toRole(profile),
    ...(Object.keys(profile.env).length === 0 ? {} : { env: profile.env }),
    ...(model === undefined ? {} : { model }),
    ...(worktree === undefined ? {} : { worktree }),
    ...(notify === undefined ? {} : { notify }),
  };
}

/** Without the variables: a role is kept in the ledger, and those are never written to disk (rule 40). */
function toRole(profile: Profile): Role {
  const { instructions, permission, permissionMode, allowedTools, mcpServers } = profile;
  return {
    profile: profile.name,
    ...(Object.keys(profile.env).length === 0 ? {} : { profilePath: profile.path }),
    ...(instructions === '' ? {} : { instructions }),
    ...(permission === undefined ? {} : { permission }),
    ...(permissionMode === undefined ? {} : { permissionMode }),
    ...(allowedTools.length === 0 ? {} : { allowedTools }),
    ...(Object.keys(mcpServers).length === 0 ? {} : { mcpServers }),
    ...(profile.isOverHttp ? { isOverHttp: true } : {}),
  };
}

function suggest(name: string, candidates: readonly string[], all: string): string {
  const closest = closestName(name, candidates);
  return `${closest ? `Did you mean "${closest}"? ` : ''}${all}`;
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
