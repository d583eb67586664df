import { isUser } from '../agents/agent.ts';
import { environmentName } from '../config/setting-definitions.ts';
import type { WantedLaunch } from './fleet.ts';
import type { FleetParts } from './parts.ts';

/**
 * Where a new agent's terminal is to live (B1): where `--terminal` says; where the environment of
 * the person who launches says; where its parent lives; else the default, which the daemon has from
 * its own environment, config.yaml or the setting's default. An agent's environment decides
 * nothing: its children live where it does (rule 40).
 */
export async function chooseBackend(
  { ledger, backends }: Pick<FleetParts, 'ledger' | 'backends'>,
  wanted: Pick<WantedLaunch, 'terminal' | 'callerAgent' | 'callerEnv' | 'parent'>,
): Promise<string> {
  const { terminal, callerAgent, callerEnv } = wanted;
  if (terminal !== undefined) return terminal;
  const byAgent =
    callerAgent === undefined || isUser({ id: callerAgent }) ? undefined : callerAgent;
  const said = byAgent === undefined ? callerEnv[environmentName('terminal')] : undefined;
  if (said) return said;
  const above = wanted.parent ?? byAgent;
  const parent = above === undefined ? undefined : await ledger.read((tx) => tx.agents.find(above));
  return parent && parent.backend !== 'none' ? parent.backend : backends.default.name;
}
