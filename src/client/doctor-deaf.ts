import { callName } from '../agents/reference.ts';
import { type Folders, findFolders } from '../config/folders.ts';
import type { AgentView } from '../protocol/agents.ts';
import type { Finding } from '../protocol/doctor.ts';
import { Fault } from '../shared/fault.ts';
import { DaemonLink } from './socket/daemon-link.ts';

/**
 * Agents that cannot be woken (rule 53), which only the daemon knows. None is started: without one
 * nobody is woken anyway, and the next one puts up again what is missing. One that cannot be asked
 * is no reason not to tell the rest.
 */
export async function findDeaf(env: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  const folders: Folders = findFolders(env);
  try {
    const link = new DaemonLink(folders, env);
    const answer = await link.askRunning<{ agents: readonly AgentView[] }>({
      method: 'GET',
      path: '/agents',
    });
    return (answer?.agents ?? []).flatMap((agent) => describe(agent, callName(agent)));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return [{ what: `The daemon was not asked: ${error.message}`, next: error.next }];
  }
}

function describe({ broken, inbox }: AgentView, name: string): readonly Finding[] {
  if (broken === undefined) return [];
  const waiting = inbox.queued === 1 ? '1 message waits' : `${inbox.queued} messages wait`;
  return [
    {
      what: `"${name}": ${broken}${inbox.queued > 0 ? `; ${waiting}` : ''}.`,
      next: `See \`signalbox status ${name}\`.`,
    },
  ];
}
