import { isUser } from '../agents/agent.ts';
import { ownServer } from '../providers/servers.ts';
import { readEnvironment } from '../shared/process-tree.ts';
import type { WantedLaunch } from './fleet.ts';
import { parseTerminal } from './parse-terminal.ts';
import type { FleetParts } from './parts.ts';

/**
 * A child gets what its parent was launched with, not what its parent's shell tool made of it, nor
 * what its parent sends along (rule 40): else an agent could decide which programs its children
 * run. One that has no process of ours (added by name, a one-shot command) stands for the nearest
 * agent above it that has; without any, and where no environment can be read, a child gets our own,
 * as it does by the tools. The same holds for an agent that restarts another.
 */
export async function inheritEnvironment(
  parts: Pick<FleetParts, 'ledger' | 'folders' | 'ownEnv'>,
  { callerAgent, callerEnv }: Pick<WantedLaunch, 'callerAgent' | 'callerEnv'>,
): Promise<Readonly<Record<string, string>>> {
  if (callerAgent === undefined || isUser({ id: callerAgent })) return callerEnv;
  const own = (await readLaunched(parts, callerAgent)) ?? parts.ownEnv;
  return Object.fromEntries(
    Object.entries(own).filter(([name, value]) => !isPrivate(parts, name, value)),
  );
}

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

async function readLaunched(
  { ledger }: Pick<FleetParts, 'ledger'>,
  caller: string,
): Promise<Readonly<Record<string, string>> | undefined> {
  for (let at: string | undefined = caller; at !== undefined; ) {
    const id: string = at;
    const found = await ledger.read(async (tx) => {
      const agent = await tx.agents.find(id);
      return agent && { agent, epoch: await tx.epochs.find(id, agent.epoch) };
    });
    const pid = found?.epoch?.endedAt === undefined ? parseTerminal(found?.epoch)?.pid : undefined;
    const env = pid === undefined ? undefined : readEnvironment(pid);
    // The number may be another process's by now.
    if (env?.['SIGNALBOX_AGENT'] === id) return env;
    at = found?.agent.parent;
  }
  return undefined;
}
