import { userAgentId } from '../agents/agent.ts';
import type { Surroundings } from '../delivery/claim.ts';
import type { Message, TurnOutcome } from '../messages/message.ts';
import { Fault } from '../shared/fault.ts';
import type { Ledger } from '../store/ledger.ts';
import { completeIn } from './complete-turn.ts';
import { finishRemovals, removeIn } from './remove.ts';

/** How a one-shot command ended, as its wrapper or whoever found that dead says it. */
export interface RunEnd {
  readonly agent: string;
  readonly outcome: Extract<TurnOutcome, 'completed' | 'failed' | 'unknown'>;
  readonly body: string;
}

/**
 * Commits the completion of a run, the note that it ended and the removal of its agent, in one
 * transaction: told once, whoever asks for it and however often. In that order, so that the
 * completion is not one of an agent that was removed before. It goes to the parent; without one to
 * the user, whose command it was.
 */
export async function endRun(
  ledger: Ledger,
  surroundings: Surroundings,
  { agent, outcome, body }: RunEnd,
): Promise<Message> {
  const now = surroundings.clock.now();
  const completion = await ledger.write(async (tx) => {
    const [run, child] = [await tx.runs.find(agent), await tx.agents.find(agent)];
    if (!run || !child) throw unknownRun(agent);
    if (run.completion !== undefined) return tx.messages.find(run.completion);
    const to = child.parent ?? userAgentId;
    const completions = await completeIn(tx, now, {
      child: agent,
      turn: { session: 'run', id: agent, stop: 1 },
      outcome,
      summary: body,
      entered: [],
      also: to,
    });
    const own = completions.find((message) => message.to === to);
    if (!own) throw new Error('a run has a completion');
    await tx.runs.end(agent, now, own.id);
    if (child.removedAt === undefined) await removeIn(tx, surroundings, agent);
    return own;
  });
  if (!completion) throw unknownRun(agent);
  await finishRemovals(ledger, surroundings);
  return completion;
}

function unknownRun(agent: string): Fault {
  return new Fault(
    'message-not-found',
    `The ledger knows nothing of the run ${agent}, or its completion has been pruned.`,
    'Look whether the state folder is the one it began in.',
  );
}
