import type { Agent } from '../../agents/agent.ts';
import { callName } from '../../agents/reference.ts';
import { findEnded, type WorkerEnding } from '../../fleet/workers/find-ending.ts';
import type { AgentView } from '../../protocol/agents.ts';
import { formatSpan } from '../../shared/units.ts';
import type { LedgerTransaction } from '../../store/ledger.ts';
import type { Context } from '../context.ts';

/**
 * Of a worker that was launched for a task: when it stops, why it is kept, or what brings it back;
 * the code, and its sentence.
 */
export async function viewEnding(
  { live }: Context,
  tx: LedgerTransaction,
  agent: Agent,
): Promise<Pick<AgentView, 'endedBy' | 'ending' | 'endingCode'>> {
  const { endedBy } = agent;
  const by = endedBy === undefined ? {} : { endedBy };
  const known = findEnded(agent);
  const ending = live
    ? await live.fleet.endingOf(tx, agent)
    : known === undefined
      ? undefined
      : { code: known };
  if (!ending) return by;
  const parent = agent.parent === undefined ? undefined : await tx.agents.find(agent.parent);
  const named = parent && callName(parent);
  return { ...by, ending: describe(ending, named), endingCode: ending.code };
}

function describe(ending: WorkerEnding, parent: string | undefined): string {
  const back = `a message or task from ${parent === undefined ? 'you' : `${parent} or you`} brings it back`;
  switch (ending.code) {
    case 'ended-with-task':
      return `it ended with its task; ${back}`;
    case 'ended-at-rest':
      return `it was stopped after a long rest; ${back}`;
    case 'stopped-by-parent':
      return `an agent above it stopped it; ${back}`;
    case 'coming-back':
      return ending.held === undefined
        ? 'it comes back, with its conversation'
        : `it comes back, with its conversation; its start failed for now, and is tried again: ${ending.held}`;
    case 'no-room':
      return `it comes back once one of ${parent ?? 'its parent'}'s other children has ended: no more may run at once`;
    default:
      return describeRunning(ending);
  }
}

type Running = Extract<WorkerEnding, { readonly endsWith: unknown }>;

function describeRunning({ code, endsWith, idleStopMs }: Running): string {
  const kept = keeps[code];
  if (kept !== undefined) return `kept: ${kept}`;
  if (endsWith === 'task' && code !== 'resting') return 'stops once its answer has been read';
  if (idleStopMs === 0) return 'kept: idle-stop is off';
  return `stops ${formatSpan(idleStopMs)} after its last task`;
}

const keeps: Readonly<Record<Running['code'], string | undefined>> = {
  'at-work': undefined,
  'ends-now': undefined,
  settling: undefined,
  resting: undefined,
  owes: 'it owes an answer',
  'answer-unread': 'its answer has not been read',
  awaits: 'it waits for an answer itself',
  mail: 'messages wait in its inbox',
  children: 'children of it run',
  background: 'tasks go on in its background',
  attached: 'you are attached to its terminal',
  draft: 'a draft stands in its composer',
  'idle-stop-off': 'idle-stop is off',
};
