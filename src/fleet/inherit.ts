import { isUser } from '../agents/agent.ts';
import { ownServer } from '../providers/servers.ts';
import { strictestUmask } from '../shared/umask.ts';
import { findLauncher } from './find-launcher.ts';
import type { WantedLaunch } from './fleet.ts';
import type { FleetParts } from './parts.ts';
import type { Roster } from './roster.ts';

export interface Inherited {
  readonly env: Readonly<Record<string, string>>;
  readonly umask: number;
  /** What whoever asks should know of it. */
  readonly remarks: readonly string[];
}

/**
 * The environment and the umask that a child starts with (rule 40): its launcher's, and never the
 * daemon's umask, which is that of whoever happened to start it. A child of an agent gets what its
 * parent was launched with, not what its parent's shell tool made of it, nor what its parent sends
 * along: else an agent could decide which programs its children run. Where nothing is known of any
 * launcher, a child gets our own environment and the strictest umask. The same holds for an agent
 * that restarts another.
 */
export async function inherit(
  parts: Pick<FleetParts, 'ledger' | 'folders' | 'ownEnv' | 'surroundings'>,
  roster: Pick<Roster, 'remains'>,
  wanted: Pick<WantedLaunch, 'callerAgent' | 'callerEnv' | 'callerUmask'>,
): Promise<Inherited> {
  const { callerAgent, callerEnv, callerUmask } = wanted;
  if (callerAgent === undefined || isUser({ id: callerAgent })) {
    return { env: callerEnv, umask: callerUmask ?? strictestUmask, remarks: [] };
  }
  const { env, umask = strictestUmask } = await findLauncher(parts, roster, callerAgent, wanted);
  return {
    env: Object.fromEntries(
      Object.entries(env ?? parts.ownEnv).filter(([name, value]) => !isPrivate(parts, name, value)),
    ),
    umask,
    remarks: env ? [] : [unknownLauncher],
  };
}

const unknownLauncher =
  'the environment of its launcher is not known, so it has the environment of the daemon, which is little more than PATH and HOME; if it lacks something, launch it yourself with `--parent`';

/**
 * Set for the parent alone: what points into its run folder, and what OpenCode was given in
 * variables (1.18.33): the password of its server, by which a child could act as its parent, and
 * the configuration of the parent, its permissions among it.
 */
function isPrivate({ folders }: Pick<FleetParts, 'folders'>, name: string, value: string): boolean {
  if (value.includes(`${folders.run}/`)) return true;
  if (name === 'OPENCODE_SERVER_PASSWORD') return /^oc_/.test(value);
  // One that names our server was made by us.
  return name === 'OPENCODE_CONFIG_CONTENT' && value.includes(`"${ownServer}"`);
}
