import { closestName } from '../agents/agent-name.ts';
import type { Role } from '../agents/role.ts';
import {
  findUnread,
  ownerOf,
  type Picked,
  type ProfileOwner,
  pickProfile,
} from '../profiles/pick.ts';
import { nameOf, originOf, type Profile, pathOf } from '../profiles/profile.ts';
import type { ProfileShelf } from '../profiles/shelf.ts';
import type { Provider } from '../providers/provider.ts';
import { reachFailPoint } from '../shared/fail-point.ts';
import { Fault } from '../shared/fault.ts';
import { quote } from '../shared/quote.ts';
import type { TrustBook } from '../trust/book.ts';
import { trustCommand } from '../trust/require-trusted.ts';
import { admitProfile } from './admit-profile.ts';

/** What names are looked up in. */
export interface TargetParts {
  readonly providers: {
    readonly names: readonly string[];
    readonly aliases?: readonly string[];
    find(name: string): Promise<Provider>;
  };
  readonly profiles: Pick<ProfileShelf, 'list'>;
  /** What of a working folder counts (rule 46). */
  readonly trust: Pick<TrustBook, 'judge'>;
  /** For a profile that names no provider; asked anew each time, since a setting may change. */
  readonly defaultProvider: () => Promise<string>;
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
  /** What of its profile does not count, for whoever launches. */
  readonly remarks?: readonly string[];
}

export interface TargetName {
  readonly name: string;
  /** Whose project's profiles are meant. */
  readonly cwd: string;
}

/**
 * A provider or its short name; else the profile of that name; undefined for neither. A provider
 * wins, so that no file in a project can change what `launch claude` means; `profile:<name>` asks
 * for the profile, `provider:<name>` for the provider, and `project:`, `user:` and `built-in:` for
 * the profile of that owner.
 */
export async function resolveLaunchTarget(
  parts: TargetParts,
  { name, cwd }: TargetName,
): Promise<LaunchTarget | undefined> {
  const { kind, bare } = partName(name);
  if (kind === undefined || kind === 'provider') {
    const trouble = await parts.providers.find(bare).then(
      () => undefined,
      // Thrown below, unless it is a Fault.
      (error: unknown) => error,
    );
    if (trouble === undefined) return { provider: bare, role: {} };
    if (!(trouble instanceof Fault)) throw trouble;
    if (kind === 'provider') return undefined;
  }
  const all = await parts.profiles.list(cwd);
  const owner = kind === 'profile' ? undefined : kind;
  const unread = findUnread(all, owner);
  if (unread) throw unread.trouble;
  const picked = pickProfile(all, bare, owner);
  if (picked) return describeTarget(parts, admit(parts, picked));
  if (kind === undefined) return undefined;
  const found = unique(all.map(nameOf));
  throw new Fault(
    'profile-not-found',
    `There is no profile ${quote(bare)}${owner === undefined ? '' : `, ${owners[owner]}`}.`,
    suggest(bare, found, `There are: ${found.join(', ')}.`),
  );
}

interface PartedName {
  readonly kind: ProfileOwner | 'profile' | 'provider' | undefined;
  readonly bare: string;
}

export function partName(name: string): PartedName {
  const [, kind, bare] = /^(profile|provider|project|user|built-in):(.*)$/s.exec(name) ?? [];
  return bare === undefined ? { kind: undefined, bare: name } : ({ kind, bare } as PartedName);
}

const owners = {
  project: 'of the project',
  user: 'of your own',
  'built-in': 'that comes with signalbox',
} as const;

/**
 * The profile as it may be used. What is broken is said by its name: another of that name is not
 * what was meant.
 */
function admit({ trust }: TargetParts, picked: Picked): ReturnType<typeof admitProfile> {
  if (picked.rival) throw nameClash(trust, picked, picked.rival);
  if (picked.found.outcome === 'broken') throw picked.found.trouble;
  return admitProfile(trust, picked.found.profile);
}

/**
 * Rule 46: a project never takes the name of a built-in or of the user's own, nor one that looks
 * like it.
 */
function nameClash(
  trust: Pick<TrustBook, 'judge'>,
  { found }: Picked,
  rival: Picked['found'],
): Fault {
  const name = nameOf(found);
  const other = nameOf(rival);
  const taken = other === name ? 'the same name' : 'a name that only looks like it';
  const own = ownerOf(originOf(found));
  const source = rival.outcome === 'usable' ? rival.profile.source : undefined;
  const isTrusted = source !== undefined && trust.judge(source).outcome === 'trusted';
  const first = isTrusted ? '' : `, once you trust it (${trustCommand(pathOf(rival))})`;
  return new Fault(
    isTrusted ? 'not-allowed' : 'not-trusted',
    `"${name}" is a profile ${owners[own]}, and ${pathOf(rival)} of the project has taken ${taken}, which it may not. Nothing was started.`,
    `Say which: \`${own}:${name}\`, or \`project:${other}\`${first}.`,
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
  const { names: providers, aliases = [] } = parts.providers;
  throw new Fault(
    'provider-not-found',
    `There is no provider and no profile ${quote(wanted.name)}.`,
    suggest(
      wanted.name,
      [...providers, ...aliases, ...profiles],
      `Providers are ${providers.join(', ')}, and what config.yaml describes; profiles are ${profiles.join(', ')}.`,
    ),
  );
}

async function describeTarget(
  parts: TargetParts,
  { profile, trusted, remarks }: ReturnType<typeof admitProfile>,
): Promise<LaunchTarget> {
  // From here on only what was judged is used: whatever stands in the file by now changes nothing.
  await reachFailPoint('launch.trusted');
  const provider = profile.provider ?? (await parts.defaultProvider());
  try {
    await parts.providers.find(provider);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new Fault(error.code, `The profile "${profile.name}": ${error.message}`, error.next);
  }
  const { model, worktree, notify } = profile;
  return {
    provider,
    role: { ...toRole(profile), ...(trusted ? { trusted } : {}) },
    ...(Object.keys(profile.env).length === 0 ? {} : { env: profile.env }),
    ...(model === undefined ? {} : { model }),
    ...(worktree === undefined ? {} : { worktree }),
    ...(notify === undefined ? {} : { notify }),
    ...(remarks.length === 0 ? {} : { remarks }),
  };
}

/**
 * Without the variables: a role is kept in the ledger, and those are never written to disk
 * (rule 40).
 */
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
    ...(profile.hasRemoteApprovals ? { hasRemoteApprovals: true } : {}),
    ...(profile.takesTasksAsPrompts ? { takesTasksAsPrompts: true } : {}),
    ...(profile.idleStopMs === undefined ? {} : { idleStopMs: profile.idleStopMs }),
  };
}

function suggest(name: string, candidates: readonly string[], all: string): string {
  const closest = closestName(name, candidates);
  return `${closest ? `Did you mean "${closest}"? ` : ''}${all}`;
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
