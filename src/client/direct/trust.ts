import { existsSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { findFolders } from '../../config/folders.ts';
import { partName } from '../../fleet/launch-target.ts';
import { listName } from '../../fleet/worktrees/copy-included.ts';
import { readList } from '../../fleet/worktrees/survey.ts';
import { ownerOf, pickProfile } from '../../profiles/pick.ts';
import { findOrigin, projectRoot } from '../../profiles/places.ts';
import { type FoundProfile, originOf, pathOf } from '../../profiles/profile.ts';
import { largestFile, openProfileShelf, readProfile } from '../../profiles/shelf.ts';
import type { TrustView } from '../../protocol/trust.ts';
import { openProviderShelf } from '../../providers/registry.ts';
import { systemClock } from '../../shared/clock.ts';
import { Fault } from '../../shared/fault.ts';
import { quote } from '../../shared/quote.ts';
import { openTrustBook, type Verdict } from '../../trust/book.ts';
import { diffLines } from '../../trust/diff-lines.ts';
import type { TrustRecord } from '../../trust/record.ts';
import { readWorkingFile, type WorkingFile } from '../../trust/working-file.ts';
import { describeConsent, mayConsent, requireConsent, requireNoAgent } from './consent.ts';
import { describeList, describeProfile } from './describe-changes.ts';
import { readUsualProvider } from './usual-provider.ts';

/**
 * What of working folders the user trusts. Needs no daemon: the records are in the state folder,
 * and the daemon reads them.
 */
export interface TrustClient {
  /** All that signalbox would read of a folder, or one file. */
  review(target: string): Promise<readonly Reviewed[]>;
  /** What stands between this launch and its beginning. */
  reviewLaunch(wanted: WantedReview): Promise<readonly Reviewed[]>;
  /** Exactly the bytes that were shown. */
  trust(reviewed: Reviewed): TrustView;
  list(): readonly TrustView[];
  /** Of a file, or of everything below a folder. */
  revoke(target: string): readonly TrustView[];
  /** Throws for everybody but the user at a terminal (rule 54). */
  requireConsent(what: string): Promise<void>;
  mayConsent(): Promise<boolean>;
  /** Throws for agents alone: to take trust back harms nobody. */
  requireUser(what: string): Promise<void>;
}

export interface WantedReview {
  readonly target: string;
  readonly cwd: string;
  readonly worktree: boolean;
}

export interface Reviewed {
  readonly view: TrustView;
  /** Undefined where there is nothing that could be trusted. */
  readonly file?: WorkingFile;
}

export async function openTrust(env: NodeJS.ProcessEnv): Promise<TrustClient> {
  const folders = findFolders(env);
  const book = openTrustBook(folders);
  const shelf = openProfileShelf(folders);
  const providers = openProviderShelf(folders);
  const usual = await readUsualProvider(folders, env);

  const show = (file: WorkingFile, root: string, changes: TrustView['changes']): Reviewed => ({
    file,
    view: {
      ...{ path: file.path, kind: file.kind, sha256: file.sha256 },
      ...describeWay(file, root),
      ...describeVerdict(book.judge(file), file),
      ...(changes ? { changes } : {}),
    },
  });
  const showProfile = async (found: FoundProfile, root: string): Promise<Reviewed> => {
    const source = found.outcome === 'usable' ? found.profile.source : undefined;
    if (found.outcome === 'usable' && source) {
      return show(source, root, await describeProfile(found.profile, { providers, usual, root }));
    }
    const trouble = found.outcome === 'broken' ? found.trouble.message : 'it is your own';
    const kind = originOf(found) === 'claude-agents' ? 'claude-agent' : 'profile';
    return { view: { path: pathOf(found), kind, state: 'broken', trouble } };
  };
  const showList = (root: string): readonly Reviewed[] => {
    const list = readList(join(root, listName));
    return list ? [show(list, root, describeList(list))] : [];
  };

  return {
    review: async (target) => {
      const path = resolve(target);
      if (!existsSync(path)) throw notThere(target);
      if (statSync(path).isDirectory()) {
        const root = projectRoot(path);
        const found = (await shelf.list(path)).filter((one) => isOfProject(one));
        const profiles = await Promise.all(found.map((one) => showProfile(one, root)));
        return [...profiles, ...showList(root)];
      }
      if (path.endsWith(`/${listName}`)) return showList(resolve(path, '..'));
      const origin = findOrigin(folders, path);
      if (ownerOf(origin) !== 'project') throw isOwn(target);
      const root = projectRoot(resolve(path, '..'));
      return [
        await showProfile({ outcome: 'usable', profile: await readProfile(path, origin) }, root),
      ];
    },
    reviewLaunch: async ({ target, cwd, worktree }) => {
      const { kind, bare } = partName(target);
      const root = projectRoot(cwd);
      const isOther =
        kind === 'provider' || (kind === undefined && (await isProvider(providers, bare)));
      const owner = kind === 'profile' || kind === 'provider' ? undefined : kind;
      const picked = isOther ? undefined : pickProfile(await shelf.list(cwd), bare, owner);
      // Where a name is contested, no consent helps: an owner must be named.
      if (picked?.rival) return [];
      const wanted: Reviewed[] = [];
      if (picked && isOfProject(picked.found)) wanted.push(await showProfile(picked.found, root));
      const asks = picked?.found.outcome === 'usable' && picked.found.profile.worktree === true;
      if (worktree || asks) wanted.push(...showList(root));
      return wanted.filter(({ file, view }) => file && view.state !== 'trusted');
    },
    trust: ({ file, view }) => {
      if (!file) throw new Error('there is nothing to trust');
      const how = { trustedAt: new Date(systemClock.now()).toISOString(), by: describeConsent() };
      book.trust(file, how);
      const { diff: _, trouble: __, ...shown } = view;
      return { ...shown, state: 'trusted', ...how };
    },
    list: () => {
      const { records, damaged } = book.list();
      return [
        ...records.map((record) => describeRecord(record)),
        ...damaged.map((path): TrustView => {
          const trouble = 'this record cannot be read, and counts for nothing';
          return { path, kind: 'profile', state: 'damaged', trouble };
        }),
      ];
    },
    revoke: (target) => {
      const path = resolve(target);
      const places = [path, ...(existsSync(path) ? [realpathSync(path)] : [])];
      const { records } = book.list();
      const meant = records.filter((record) => places.some((place) => isBelow(record.path, place)));
      if (meant.length === 0) throw nothingTrusted(target);
      const views = meant.map((record) => describeRecord(record));
      for (const record of meant) book.revoke(record);
      return views;
    },
    requireConsent: (what) => requireConsent(env, what),
    mayConsent: () => mayConsent(env),
    requireUser: (what) => requireNoAgent(env, what),
  };
}

/** As its file is now. */
function describeRecord({ text: _, ...record }: TrustRecord): TrustView {
  return { ...record, state: compareNow(record) };
}

function compareNow({ path, kind, sha256 }: Omit<TrustRecord, 'text'>): TrustView['state'] {
  try {
    return readWorkingFile(path, kind, largestFile).sha256 === sha256 ? 'trusted' : 'changed';
  } catch {
    // Not there, too long, or no file: whatever it is, it is not what was trusted.
    return existsSync(path) ? 'changed' : 'gone';
  }
}

function describeVerdict(verdict: Verdict, { bytes }: WorkingFile): Pick<TrustView, 'state'> {
  switch (verdict.outcome) {
    case 'changed': {
      const { trustedAt, by, text } = verdict.record;
      const seen = { state: 'changed', trustedAt, by } as const;
      return { ...seen, diff: diffLines(text, bytes.toString()) } as Pick<TrustView, 'state'>;
    }
    case 'damaged': {
      const trouble = `its record ${verdict.path} is damaged: ${verdict.why}`;
      return { state: 'damaged', trouble } as Pick<TrustView, 'state'>;
    }
    default:
      return { state: verdict.outcome };
  }
}

/** A link shows one place and is another. */
function describeWay({ path, realPath }: WorkingFile, root: string): Partial<TrustView> {
  if (path === realPath) return {};
  const isInside = isBelow(realPath, realpathSync(root));
  // The folder itself may be reached by a link, which is nobody's trick.
  if (isInside && realPath === join(realpathSync(root), relative(root, path))) return {};
  return isInside ? { realPath } : { realPath, outside: true };
}

function isOfProject(found: FoundProfile): boolean {
  return ownerOf(originOf(found)) === 'project';
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith('../') && !isAbsolute(way);
}

async function isProvider(
  shelf: ReturnType<typeof openProviderShelf>,
  name: string,
): Promise<boolean> {
  try {
    await shelf.find(name);
    return true;
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}

function notThere(target: string): Fault {
  return new Fault(
    'invalid-input',
    `${quote(target, 200)} is not there.`,
    'Name a folder or a file.',
  );
}

function isOwn(target: string): Fault {
  return new Fault(
    'invalid-input',
    `${quote(target, 200)} is your own or comes with signalbox: it needs no trust.`,
    'Name a file of a working folder.',
  );
}

function nothingTrusted(target: string): Fault {
  return new Fault(
    'invalid-input',
    `Nothing in ${quote(target, 200)} is trusted; nothing was changed.`,
    'See `signalbox trust --list`.',
  );
}
