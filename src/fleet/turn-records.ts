import type { AgentContext } from '../providers/provider.ts';
import { readLastWords } from './last-words.ts';
import type { Life } from './running-agent.ts';
import type { TurnRecords } from './watch-turns.ts';

/** What the records of one life's CLI say of its turns, wherever its conversation is by then. */
export function openTurnRecords(life: Life, context: () => AgentContext): TurnRecords {
  return {
    lastWords: (signal) => readLastWords(life, context(), signal),
    lastTurn: async (signal) => life.provider.findLastTurn?.(context(), signal),
  };
}
