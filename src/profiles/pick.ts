import { areLookAlikes } from '../agents/skeleton.ts';
import { type FoundProfile, nameOf, originOf, type Profile } from './profile.ts';

/** Whose profile is meant, where somebody says so: `project:reviewer`. */
export type ProfileOwner = 'project' | 'user' | 'built-in';

export interface Picked {
  readonly found: FoundProfile;
  /**
   * One of the project's that has taken the name of this one, the user's or a built-in: by that
   * name neither is launched.
   */
  readonly rival?: FoundProfile;
}

/**
 * The profile of that name. A project's never takes the place of the user's own or a built-in one
 * in silence (rule 46): where both have the name, both are told, and only a name with an owner
 * picks one. Among the project's, and among the others, the nearest.
 */
export function pickProfile(
  all: readonly FoundProfile[],
  name: string,
  owner?: ProfileOwner,
): Picked | undefined {
  const named = all.filter((one) => nameOf(one) === name.normalize('NFC'));
  const of = (wanted: ProfileOwner): FoundProfile | undefined =>
    named.find((one) => ownerOf(originOf(one)) === wanted);
  if (owner !== undefined) {
    const found = of(owner);
    return found && { found };
  }
  const rival = of('project');
  const found = of('user') ?? of('built-in') ?? (rival && findOwnLookAlike(all, nameOf(rival)));
  if (found && rival) return { found, rival };
  const only = found ?? rival;
  return only && { found: only };
}

/**
 * One of the user's own or a built-in that a project's name only looks like: that is taking its
 * name, too.
 */
function findOwnLookAlike(all: readonly FoundProfile[], name: string): FoundProfile | undefined {
  const own = all.filter((one) => ownerOf(originOf(one)) !== 'project');
  return own.find((one) => areLookAlikes(nameOf(one), name));
}

/**
 * What could not be read may hold that name and go before the one that was found, or clash with it:
 * an error is not absence (rules 41, 46). By a name with an owner, only that owner's counts.
 */
export function findUnread(
  all: readonly FoundProfile[],
  owner?: ProfileOwner,
): Extract<FoundProfile, { outcome: 'broken' }> | undefined {
  return all
    .filter((one) => one.outcome === 'broken')
    .find((one) => one.isUnread && (owner === undefined || ownerOf(one.origin) === owner));
}

export function ownerOf(origin: Profile['origin']): ProfileOwner {
  return origin === 'claude-agents' ? 'project' : origin;
}
