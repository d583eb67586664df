import { type Agent, isUser } from '../../agents/agent.ts';
import { comesBack } from '../../agents/ending.ts';
import type { EndedCode, KeepCode } from '../../agents/ending-code.ts';
import type { LedgerTransaction } from '../../store/ledger.ts';
import type { FleetParts } from '../parts.ts';
import type { Roster } from '../roster.ts';
import { type Coming, type Held, hasRoom } from './bring-back.ts';
import { judgeWorker } from './end-worker.ts';

/** What a worker's end depends on, or what ended it, as a code with its facts. */
export type WorkerEnding =
  | {
      readonly code: KeepCode | 'ends-now';
      readonly endsWith: NonNullable<Agent['endsWith']>;
      readonly idleStopMs: number;
    }
  /** `held`: its start failed, for a reason that passes, and is tried again. */
  | { readonly code: 'coming-back'; readonly held?: string }
  | { readonly code: EndedCode | 'no-room' };

/** What the ledger alone tells: of a worker that has ended, and may come back. */
export function findEnded(agent: Agent): EndedCode | 'coming-back' | undefined {
  if (agent.calledBy !== undefined) return 'coming-back';
  const { endedBy } = agent;
  if (endedBy === undefined || !comesBack(agent)) return undefined;
  return ended[endedBy];
}

const ended = {
  task: 'ended-with-task',
  rest: 'ended-at-rest',
  parent: 'stopped-by-parent',
  person: undefined,
} as const satisfies Readonly<Record<NonNullable<Agent['endedBy']>, EndedCode | undefined>>;

interface Known {
  readonly roster: Pick<Roster, 'get'>;
  readonly coming: Coming;
  readonly held: Held;
}

export async function findEnding(
  parts: Pick<FleetParts, 'surroundings' | 'limits'>,
  tx: LedgerTransaction,
  agent: Agent,
  { roster, coming, held }: Known,
): Promise<WorkerEnding | undefined> {
  const { id, calledBy, endsWith, role } = agent;
  if (calledBy !== undefined && !coming.has(id)) {
    const isFree = isUser({ id: calledBy }) || (await hasRoom(parts, tx, agent, coming));
    if (!isFree) return { code: 'no-room' };
    const why = held.get(id);
    return { code: 'coming-back', ...(why === undefined ? {} : { held: why }) };
  }
  const code = findEnded(agent);
  if (code !== undefined) return { code };
  const running = roster.get(id);
  if (!running || endsWith === undefined) return undefined;
  const decision = await judgeWorker(parts, tx, running);
  if (!decision) return undefined;
  const idleStopMs = role?.idleStopMs ?? parts.limits.idleStopMs;
  return {
    code: decision.decision === 'stop' ? 'ends-now' : decision.code,
    ...{ endsWith, idleStopMs },
  };
}
