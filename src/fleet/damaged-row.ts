import type { Agent } from '../agents/agent.ts';
import type { Epoch } from '../agents/epoch.ts';
import { callName } from '../agents/reference.ts';
import { Fault } from '../shared/fault.ts';

/** For a request about an agent of which the ledger cannot be read. */
export function damagedRow(agent: Agent, epoch?: Epoch): Fault {
  const columns = [...(agent.damaged ?? []), ...(epoch?.damaged ?? [])].join(', ');
  return new Fault(
    'ledger-corrupt',
    `The ledger's row of "${callName(agent)}" is damaged: ${columns} cannot be read.`,
    `Remove it with \`signalbox rm ${agent.id}\` and launch it again; other agents are not affected.`,
  );
}
