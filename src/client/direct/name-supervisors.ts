import type { Agent } from '../../agents/agent.ts';
import { fullName, parseReference } from '../../agents/reference.ts';
import { findFolders } from '../../config/folders.ts';
import { listNames } from '../../config/setting-definitions.ts';
import { noteSupervisors } from '../../config/supervisors.ts';
import { Fault } from '../../shared/fault.ts';
import { quote } from '../../shared/quote.ts';
import { hasLedger, openContext } from './open.ts';

/** One agent that the user names to answer for those below it. */
export interface MeantSupervisor {
  readonly name: string;
  readonly id: string;
  /** Its full name: another agent has launched it, and chosen its name. */
  readonly launchedBy?: string;
}

/** The living agents that have these full names; each name must have one. */
export async function findSupervisors(
  env: NodeJS.ProcessEnv,
  value: string,
): Promise<readonly MeantSupervisor[]> {
  const names = listNames(value);
  if (names.length === 0) return [];
  if (!hasLedger(env)) throw notThere(names[0] ?? '');
  const { ledger } = await openContext(env);
  try {
    return await ledger.read((tx) =>
      Promise.all(
        names.map(async (wanted) => {
          const { name, session } = parseReference(wanted);
          const namesakes = await tx.agents.listByName(name);
          const found = namesakes.find((one) => one.session === session);
          if (!found) throw notThere(wanted);
          const parent =
            found.parent === undefined ? undefined : await tx.agents.find(found.parent);
          return describe(found, parent);
        }),
      ),
    );
  } finally {
    await ledger.close();
  }
}

/** From now on the setting means these agents. */
export function nameSupervisors(env: NodeJS.ProcessEnv, meant: readonly MeantSupervisor[]): void {
  noteSupervisors(findFolders(env), new Map(meant.map(({ name, id }) => [name, id])));
}

function describe(agent: Agent, parent: Agent | undefined): MeantSupervisor {
  const { id } = agent;
  return { name: fullName(agent), id, ...(parent ? { launchedBy: fullName(parent) } : {}) };
}

function notThere(name: string): Fault {
  return new Fault(
    'agent-not-found',
    `There is no agent ${quote(name)} now, and the right to answer is given to one that you know.`,
    'Launch it first, then run this again.',
  );
}
