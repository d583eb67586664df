import type { Agent } from '../agents/agent.ts';
import type { Epoch } from '../agents/epoch.ts';
import { callName } from '../agents/reference.ts';
import { Fault } from '../shared/fault.ts';
import type { FleetParts } from './parts.ts';

/**
 * Why nobody can go to an agent's terminal or read from it: its life has ended, or its backend
 * cannot be asked.
 */
export function explainUnseen(
  { backends }: Pick<FleetParts, 'backends'>,
  agent: Agent,
  epoch: Epoch,
): Fault {
  if (epoch.endedAt === undefined) {
    const { state, detail } = backends.of(epoch.backend).state();
    if (state !== 'ready') return unreachable(agent, epoch.backend, detail);
  }
  return new Fault(
    'terminal-gone',
    `"${callName(agent)}" is not running.`,
    `Start it again with \`signalbox restart ${callName(agent)}\`.`,
  );
}

function unreachable(agent: Agent, backend: string, detail: string | undefined): Fault {
  return new Fault(
    'backend-lost',
    `"${callName(agent)}" lives in ${backend}, which cannot be asked just now${detail ? `: ${detail}` : ''}.`,
    'It is asked again by itself; see `signalbox health`.',
  );
}
