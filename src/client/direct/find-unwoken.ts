import type { Agent } from '../../agents/agent.ts';
import type { Epoch } from '../../agents/epoch.ts';
import { callName, type Nameable } from '../../agents/reference.ts';
import type { Folders } from '../../config/folders.ts';
import { describeUnwoken, explainUnwoken, waitsWhile } from '../../delivery/explain-unwoken.ts';
import { findPenObstacle, type TerminalPlace } from '../../delivery/find-pen-obstacle.ts';
import { readLaunch, readWays } from '../../fleet/read-ways.ts';
import { mayLackNative } from '../../providers/may-lack-native.ts';
import type { Provider } from '../../providers/provider.ts';
import { openProviderShelf } from '../../providers/registry.ts';
import { Fault } from '../../shared/fault.ts';
import { herdrCapabilities } from '../../terminals/herdr/capabilities.ts';
import { tmuxCapabilities } from '../../terminals/tmux/capabilities.ts';

const known: Readonly<Record<string, TerminalPlace['capabilities']>> = {
  tmux: tmuxCapabilities,
  herdr: herdrCapabilities,
};

/**
 * Why what is sent to this agent now waits although it runs: no message wakes it at rest. Found
 * from data, without a daemon.
 */
export async function findUnwoken(
  folders: Folders,
  agent: Pick<Agent, 'name' | 'provider' | 'backend' | 'status'> & Nameable,
  life: Pick<Epoch, 'providerVersion' | 'extraArgs'> | undefined,
): Promise<string | undefined> {
  const { provider, backend, status } = agent;
  const capabilities = Object.hasOwn(known, backend) ? known[backend] : undefined;
  if (capabilities === undefined) return undefined;
  const pen = findPenObstacle({ name: backend, capabilities });
  // Every provider has a native route or a paste: where something can be pasted only those are
  // loaded of which some lives have neither.
  if (pen === undefined && !mayLackNative.has(provider)) return undefined;
  const its = await findProvider(folders, provider);
  const unwoken = its && explainUnwoken({ ways: readWays(its, life && readLaunch(life)), pen });
  const isWaiting = unwoken && waitsWhile(status, unwoken);
  return isWaiting ? describeUnwoken(callName(agent), unwoken) : undefined;
}

/** One that config.yaml describes no longer, or not well, says nothing of its agents. */
async function findProvider(folders: Folders, name: string): Promise<Provider | undefined> {
  try {
    return await openProviderShelf(folders).find(name);
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}
