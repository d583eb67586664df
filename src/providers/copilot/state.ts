import type { AgentContext, OwnState, StateWatch } from '../provider.ts';
import { openTurnWatch } from '../turn-watch.ts';
import { findEvents } from './transcript.ts';
import { createTurnFold } from './turns.ts';

/** Copilot CLI tells no state, but its file tells turn ends. */
export function watchState(context: AgentContext, report: (state: OwnState) => void): StateWatch {
  return openTurnWatch({
    locate: async (conversation) => findEvents(context.env, conversation),
    createFold: createTurnFold,
    since: context.startedAt,
    conversation: context.conversation,
    report,
  });
}
