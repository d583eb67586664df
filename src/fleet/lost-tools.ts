import type { Agent } from '../agents/agent.ts';
import type { Epoch } from '../agents/epoch.ts';
import { callName } from '../agents/reference.ts';
import type { LedgerTransaction } from '../store/ledger.ts';

/**
 * Another program held the port of this life: its token may have been read, and is good on no port
 * (docs/security.md).
 */
export function hasTools({ toolsLostAt }: Pick<Epoch, 'toolsLostAt'>): boolean {
  return toolsLostAt === undefined;
}

export interface LostTools {
  /** What happened, without the agent's name. */
  readonly what: string;
  readonly next: string;
}

/**
 * Of an agent whose tools came over HTTP and come no more; undefined: it has them, or has ended.
 */
export async function findLostTools(
  tx: LedgerTransaction,
  agent: Agent,
): Promise<LostTools | undefined> {
  const { id, epoch, role } = agent;
  if (!role?.isOverHttp) return undefined;
  const life = await tx.epochs.find(id, epoch);
  if (!life || life.endedAt !== undefined) return undefined;
  const next = `\`signalbox restart ${callName(agent)}\` gives it new ones.`;
  if (life.toolsPort === undefined) {
    return { what: 'it has lost its tools: it was launched before their port was noted', next };
  }
  if (hasTools(life)) return undefined;
  const port = `port ${life.toolsPort}`;
  return {
    what: `it has lost its tools: another program held ${port} and may have read its token`,
    next,
  };
}
