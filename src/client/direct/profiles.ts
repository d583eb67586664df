import { existsSync } from 'node:fs';
import { findFolders } from '../../config/folders.ts';
import { partVariables } from '../../fleet/admit-profile.ts';
import { checkVariable } from '../../fleet/environment.ts';
import { partName } from '../../fleet/launch-target.ts';
import { dropProfile, keepProfile } from '../../profiles/keep.ts';
import { parseProfile } from '../../profiles/parse-profile.ts';
import { ownerOf, pickProfile } from '../../profiles/pick.ts';
import { projectFolder, userFolder } from '../../profiles/places.ts';
import { type FoundProfile, nameOf, originOf, type Profile } from '../../profiles/profile.ts';
import { openProfileShelf, readProfile, readProfileText } from '../../profiles/shelf.ts';
import type { ProfileView } from '../../protocol/profiles.ts';
import { openProviderShelf } from '../../providers/registry.ts';
import { Fault } from '../../shared/fault.ts';
import { quote } from '../../shared/quote.ts';
import { formatSpan } from '../../shared/units.ts';
import { openTrustBook, type TrustBook } from '../../trust/book.ts';
import { requireNoAgent } from './consent.ts';
import { readUsualProvider } from './usual-provider.ts';

/** What can be done with profiles. Needs neither daemon nor ledger. */
export interface ProfileClient {
  list(): Promise<readonly ProfileView[]>;
  /** With its instructions. */
  show(name: string): Promise<ProfileView>;
  /**
   * A file or a name; all that are found without one. With everything that can be said about it
   * beforehand.
   */
  validate(names: readonly string[]): Promise<readonly ProfileView[]>;
  add(file: string, how: WhereTo & { readonly replace: boolean }): Promise<ProfileView>;
  remove(name: string, where: WhereTo): Promise<{ readonly name: string; readonly path: string }>;
}

interface WhereTo {
  /** Else the user's own folder. */
  readonly project: boolean;
}

export async function openProfiles(env: NodeJS.ProcessEnv, cwd: string): Promise<ProfileClient> {
  const folders = findFolders(env);
  const shelf = openProfileShelf(folders);
  const providers = openProviderShelf(folders);
  const trust = openTrustBook(folders);
  const usual = await readUsualProvider(folders, env);
  const find = async (name: string): Promise<FoundProfile> => {
    const all = await shelf.list(cwd);
    const { kind, bare } = partName(name);
    const owner = kind === 'profile' || kind === 'provider' ? undefined : kind;
    return pickProfile(all, bare, owner)?.found ?? refuseUnknown(name, all);
  };
  const check = async (found: FoundProfile): Promise<ProfileView> => {
    const shown = view(found, usual);
    if (found.outcome === 'broken') return shown;
    const more = await foresee(found.profile, usual, providers);
    return { ...shown, ...more, remarks: [...found.profile.remarks, ...(more.remarks ?? [])] };
  };
  return {
    list: async () =>
      markNames(await shelf.list(cwd)).map(([one, more]) =>
        view(one, usual, { ...more, ...describeTrust(one, trust) }),
      ),
    show: async (name) => {
      const found = await find(name);
      if (found.outcome === 'broken') throw found.trouble;
      const shown = view(found, usual, describeTrust(found, trust));
      return { ...shown, instructions: found.profile.instructions };
    },
    validate: async (names) => {
      const found =
        names.length === 0
          ? await shelf.list(cwd)
          : await Promise.all(names.map((name) => (isFile(name) ? readFound(name) : find(name))));
      return Promise.all(found.map(check));
    },
    add: async (file, { project, replace }) => {
      // Whatever is in the user's own folder is trusted: to put it there is consent (rule 54).
      if (!project) await requireNoAgent(env, 'add a profile of the user’s own');
      if (!existsSync(file)) throw noFile(file);
      // Read once: what is looked at is what is kept.
      const text = readProfileText(file);
      const { name } = await parseProfile(text, { path: file, origin: 'user' });
      const folder = project ? projectFolder(cwd) : userFolder(folders);
      const path = keepProfile(folder, name, text, { replace, isPrivate: !project });
      return check(await readFound(path, project ? 'project' : 'user'));
    },
    remove: async (name, { project }) => {
      const all = await shelf.list(cwd);
      const named = all.filter((one) => nameOf(one) === name.normalize('NFC'));
      const [first] = named;
      if (!first) return refuseUnknown(name, all);
      const wanted = project ? 'project' : 'user';
      const own = named.find((one) => originOf(one) === wanted);
      const other = named.find((one) => ['user', 'project'].includes(originOf(one)));
      if (!own && other) throw elsewhere(name, other);
      return { name, path: dropProfile(own ?? first) };
    },
  };
}

/** What would be refused, or surprise, at its launch. */
async function foresee(
  profile: Profile,
  usual: string,
  providers: ReturnType<typeof openProviderShelf>,
): Promise<Pick<ProfileView, 'trouble' | 'remarks'>> {
  const { permissionMode: mode, provider: name = usual } = profile;
  try {
    const { env, leftOut } = profile.source
      ? partVariables(profile)
      : { env: profile.env, leftOut: [] };
    for (const [variable, value] of Object.entries(env)) checkVariable(variable, value);
    const remarks =
      leftOut.length === 0
        ? []
        : [`${leftOut.join(', ')} left out: a project never decides what is executed`];
    const { title, capabilities } = await providers.find(name);
    if (mode !== undefined && !Object.hasOwn(capabilities.permissions, mode)) {
      remarks.push(
        `the mode ${JSON.stringify(mode)} is not one that we know of ${title}: it counts as \`all\``,
      );
    }
    return remarks.length === 0 ? {} : { remarks };
  } catch (error) {
    if (error instanceof Fault) return { trouble: `${error.message} ${error.next}` };
    throw error;
  }
}

function view(found: FoundProfile, usual: string, more: Partial<ProfileView> = {}): ProfileView {
  if (found.outcome === 'broken') {
    const { name, origin, path, trouble } = found;
    return { name, origin, path, ...more, trouble: `${trouble.message} ${trouble.next}` };
  }
  const { instructions: _, source: __, ...shown } = found.profile;
  const { isOverHttp, hasRemoteApprovals, takesTasksAsPrompts, ...others } = shown;
  const { idleStopMs, env, mcpServers, ...profile } = others;
  const full: ProfileView = {
    ...profile,
    ...more,
    provider: profile.provider ?? usual,
    mcpServers: Object.keys(mcpServers),
    env: Object.keys(env),
    ...(isOverHttp ? { toolsOver: 'http' } : {}),
    ...(hasRemoteApprovals ? { approvals: 'remote' } : {}),
    ...(takesTasksAsPrompts ? { tasks: 'prompt' } : {}),
    ...(idleStopMs === undefined
      ? {}
      : { idleStop: idleStopMs === 0 ? 'off' : formatSpan(idleStopMs) }),
  };
  const told = Object.entries(full).filter(([, value]) => !isEmpty(value));
  return {
    ...Object.fromEntries(told),
    name: profile.name,
    origin: profile.origin,
    path: profile.path,
  };
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/**
 * Which are hidden by a nearer one of the same owner, and which share their name with another
 * owner's (rule 46).
 */
function markNames(
  all: readonly FoundProfile[],
): readonly (readonly [FoundProfile, Partial<ProfileView>])[] {
  return all.map((one) => {
    const owner = ownerOf(originOf(one));
    const { rival } = pickProfile(all, nameOf(one)) ?? {};
    const own = pickProfile(all, nameOf(one), owner)?.found;
    const first = owner === 'project' ? own : pickProfile(all, nameOf(one))?.found;
    if (first !== one) return [one, { hidden: true }];
    return [one, rival ? { launchAs: `${owner}:${nameOf(one)}` } : {}];
  });
}

function describeTrust(found: FoundProfile, trust: TrustBook): Partial<ProfileView> {
  const source = found.outcome === 'usable' ? found.profile.source : undefined;
  return source ? { trusted: trust.judge(source).outcome === 'trusted' } : {};
}

async function readFound(path: string, origin: Profile['origin'] = 'user'): Promise<FoundProfile> {
  try {
    return { outcome: 'usable', profile: await readProfile(path, origin) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { outcome: 'broken', name: path, origin, path, trouble: error };
  }
}

/** A name holds no slash; what ends like a file and is there is one. */
function isFile(text: string): boolean {
  return text.includes('/') || (text.endsWith('.md') && existsSync(text));
}

function noFile(file: string): Fault {
  return new Fault(
    'config-invalid',
    `There is no file ${quote(file, 200)}.`,
    'Name the Markdown file of a profile; `signalbox profile show reviewer` shows what is in one.',
  );
}

function elsewhere(name: string, found: FoundProfile): Fault {
  const { path } = found.outcome === 'usable' ? found.profile : found;
  const [where, how] =
    originOf(found) === 'project'
      ? ['the project', 'Say --project to remove that']
      : ['your own folder', 'Leave --project out to remove that'];
  return new Fault(
    'profile-not-found',
    `The profile "${name}" is in ${where}: ${path}.`,
    `${how}.`,
  );
}

function refuseUnknown(name: string, all: readonly FoundProfile[]): never {
  const names = [...new Set(all.map(nameOf))];
  throw new Fault(
    'profile-not-found',
    `There is no profile ${quote(name)}.`,
    `There are: ${names.join(', ')}.`,
  );
}
