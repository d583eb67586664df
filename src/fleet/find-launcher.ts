import type { Epoch } from '../agents/epoch.ts';
import type { Run } from '../agents/run.ts';
import { readEnvironment } from '../shared/process-tree.ts';
import { readUmask } from '../shared/umask.ts';
import type { WantedLaunch } from './fleet.ts';
import { knownUmask } from './known-umask.ts';
import { parseTerminal } from './parse-terminal.ts';
import type { FleetParts } from './parts.ts';
import type { Roster } from './roster.ts';

/** Each undefined where it is not known. */
interface Launcher {
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly umask?: number | undefined;
}

type Sent = Pick<WantedLaunch, 'callerEnv' | 'callerUmask'>;

/**
 * What an agent hands on to its children. One that has no process of ours stands for the nearest
 * agent above it that has; but a one-shot command that the user began stands for its wrapper, which
 * the user started.
 */
export async function findLauncher(
  { ledger, surroundings }: Pick<FleetParts, 'ledger' | 'surroundings'>,
  roster: Pick<Roster, 'remains'>,
  caller: string,
  sent: Sent,
): Promise<Launcher> {
  let umask: number | undefined;
  for (let at: string | undefined = caller; at !== undefined; ) {
    const id: string = at;
    const { agent, epoch, run } = await ledger.read(async (tx) => {
      const agent = await tx.agents.find(id);
      const epoch = agent && (await tx.epochs.find(id, agent.epoch));
      return { agent, epoch, run: await tx.runs.find(id) };
    });
    umask ??= knownUmask(epoch);
    const env = epoch && findLaunched(roster, epoch);
    // Of a process of ours that shows nothing the agent above says nothing either.
    if (env || isOpen(epoch)) return { env, umask };
    // What an agent adds has a role.
    const wrapper = run && !agent?.role ? readWrapper(surroundings, run, sent) : undefined;
    if (wrapper) return wrapper;
    at = agent?.parent;
  }
  return { umask };
}

/** What we remember comes first: a process may hide it (Codex 0.166.0), or have ended. */
function findLaunched(roster: Pick<Roster, 'remains'>, epoch: Epoch): Launcher['env'] {
  const known = roster.remains(epoch.agent, epoch.epoch)?.env ?? {};
  if (Object.keys(known).length > 0) return known;
  const pid = isOpen(epoch) ? parseTerminal(epoch)?.pid : undefined;
  const env = pid === undefined ? undefined : readEnvironment(pid);
  // The number may be another process's by now.
  return env?.['SIGNALBOX_AGENT'] === epoch.agent ? env : undefined;
}

function isOpen(epoch: Epoch | undefined): boolean {
  return epoch?.terminal !== undefined && epoch.endedAt === undefined;
}

/**
 * Of the wrapper itself, and not of the command, which may be a CLI with a shell tool. Where the
 * system does not show it, the command is believed. Undefined once the wrapper is dead.
 */
function readWrapper(
  { host }: FleetParts['surroundings'],
  { holder, endedAt }: Run,
  { callerEnv, callerUmask }: Sent,
): Launcher | undefined {
  const judged = endedAt === undefined ? host.judge(holder) : 'dead';
  if (judged === 'dead') return undefined;
  const pid = judged === 'alive' ? holder.pid : undefined;
  return {
    env: (pid === undefined ? undefined : readEnvironment(pid)) ?? callerEnv,
    umask: (pid === undefined ? undefined : readUmask(pid)) ?? callerUmask,
  };
}
