import { giveWay } from '../delivery/give-way.ts';
import type { LiveContext } from '../requests/context.ts';
import { tellUnwoken } from '../requests/parts/tell-unwoken.ts';
import type { ServerParts } from './parts.ts';

/** The daemon's side of every request, for HTTP and for the tools. */
export function createContext(parts: ServerParts): LiveContext {
  const { ledger, clock, host, bodyLimit, delivery, log } = parts;
  return {
    ledger,
    surroundings: { clock, host },
    bodyLimit,
    budgets: delivery.limits,
    ...(parts.team.breadth === undefined ? {} : { breadth: parts.team.breadth }),
    unwoken: async (to) => tellUnwoken(parts, to),
    versionWarning: parts.versionWarningOf,
    committed: ({ id }) => giveWay(delivery, id),
    log,
    live: parts,
  };
}
