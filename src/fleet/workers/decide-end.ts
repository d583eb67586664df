import type { AgentStatus } from '../../agents/agent.ts';
import type { EndsWith } from '../../agents/ending.ts';
import type { KeepCode } from '../../agents/ending-code.ts';
import { isAtRest } from '../../agents/remember-turn.ts';
import type { Composer } from '../../agents/status.ts';

/** All that decides whether a worker that was launched for a task is stopped now. */
export interface WorkerFacts {
  readonly endsWith: EndsWith;
  readonly status: AgentStatus;
  readonly composer: Composer;
  /** Without a break, by the clock that nobody sets. */
  readonly restsMs: number;
  /** After so long a rest it is stopped; 0: never. */
  readonly idleStopMs: number;
  /** A task of it has ended in this life. */
  readonly isDone: boolean;
  /** Tasks that it has not answered. */
  readonly owes: number;
  /** Answers of it that nobody has read yet, as far as that can be known. */
  readonly unread: number;
  /** Tasks that others owe it. */
  readonly owed: number;
  /** Messages for it that are not at their end. */
  readonly mail: boolean;
  /** Children of it that run. */
  readonly children: number;
  /** Tasks or sub-agents go on in its CLI beside the conversation. */
  readonly background: boolean;
  /** People who look at its terminal; undefined where the backend cannot tell. */
  readonly watchers: number | undefined;
  /** Its parent has as many children as it may, and launches another. */
  readonly isPlaceWanted?: boolean;
}

export type EndDecision =
  | { readonly decision: 'stop'; readonly by: EndsWith }
  | { readonly decision: 'keep'; readonly code: KeepCode };

/**
 * A status may say for a moment that an agent rests which does not, and the end of its turn comes
 * by another way than its status.
 */
const settledMs = 1000;

/** In this order: the first that holds keeps it. */
const keeps: readonly (readonly [KeepCode, (facts: WorkerFacts) => boolean])[] = [
  ['at-work', ({ status }) => !isAtRest(status)],
  ['owes', ({ owes }) => owes > 0],
  ['answer-unread', ({ unread }) => unread > 0],
  ['awaits', ({ owed }) => owed > 0],
  ['mail', ({ mail }) => mail],
  ['children', ({ children }) => children > 0],
  ['background', ({ background }) => background],
  ['attached', ({ watchers = 0 }) => watchers > 0],
  ['draft', ({ composer }) => composer === 'draft'],
  ['settling', ({ restsMs }) => restsMs < settledMs],
];

/**
 * Whether a worker is stopped, and by what, or why it is kept. One that was launched by a handoff
 * ends with its task. One that was launched by an assign, was brought back for a mere message, or
 * sits where nobody can tell whether a person looks on, ends after a long rest; the last kind also
 * when its place is wanted: else its parent could hand off nothing more for as long.
 */
export function decideEnd(facts: WorkerFacts): EndDecision {
  for (const [code, holds] of keeps) if (holds(facts)) return { decision: 'keep', code };
  const { endsWith, isDone, watchers, isPlaceWanted = false, idleStopMs, restsMs } = facts;
  if (endsWith === 'task' && isDone && (watchers !== undefined || isPlaceWanted)) {
    return { decision: 'stop', by: 'task' };
  }
  if (idleStopMs === 0) return { decision: 'keep', code: 'idle-stop-off' };
  if (restsMs < idleStopMs) return { decision: 'keep', code: 'resting' };
  return { decision: 'stop', by: 'rest' };
}
