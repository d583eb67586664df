import type { Agent } from '../agents/agent.ts';
import type { AskedNow } from '../fleet/questions/questions.ts';
import { resolveAgent } from '../fleet/resolve-agent.ts';
import type { AgentQuestions } from '../protocol/questions.ts';
import { nameView } from '../protocol/views.ts';
import { pause } from '../shared/clock.ts';
import { joinSignals } from '../shared/join-signals.ts';
import type { LiveContext } from './context.ts';
import { defineRequest } from './define.ts';
import { requireDecider } from './parts/require-decider.ts';

export interface QuestionsWish {
  readonly agent: string;
  /** Nobody waits any more. */
  readonly gone: AbortSignal;
}

/** What an agent asks and can be answered without its terminal, whole. */
export const showQuestions = defineRequest(
  async (context: LiveContext, caller, wish: QuestionsWish): Promise<AgentQuestions> => {
    const { ledger, live } = context;
    const agent = await ledger.read((tx) => resolveAgent(tx, wish.agent, caller));
    await requireDecider(context, caller, agent);
    const { questions, isBlind } = await readSettled(context, agent, wish.gone);
    const now = live.fleet.live(agent.id);
    return {
      agent: nameView(agent),
      status: now?.status ?? agent.status,
      ...(now?.question === undefined ? {} : { question: now.question }),
      questions,
      ...(isBlind ? { isBlind } : {}),
    };
  },
);

const everyMs = 100;

/** Soon after a restart of ours the hooks that hold a question have not come back yet. */
async function readSettled(
  { live, surroundings: { clock } }: LiveContext,
  { id }: Agent,
  gone: AbortSignal,
): Promise<AskedNow> {
  const { signal, leave } = joinSignals([gone, live.ending]);
  try {
    for (;;) {
      const asked = live.fleet.questions(id);
      const isComing = asked.isComing && live.fleet.live(id)?.status === 'waiting';
      if (asked.questions.length > 0 || !isComing) return asked;
      if (!(await pause(clock, everyMs, signal))) return asked;
    }
  } finally {
    leave();
  }
}
