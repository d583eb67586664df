import { callName } from '../agents/reference.ts';
import { requireSelf } from '../fleet/permissions.ts';
import { resolveMessage } from '../fleet/resolve-message.ts';
import type { AgentName } from '../protocol/agents.ts';
import { joinSignals } from '../shared/join-signals.ts';
import { noteDone } from '../shared/unwritten.ts';
import { awaitAnswer } from '../team/await-answer.ts';
import type { AwaitedAnswer } from '../team/take-answer.ts';
import type { LiveContext } from './context.ts';
import { defineRequest } from './define.ts';

export interface AnswerWish {
  readonly task: string;
  readonly timeoutMs: number;
  /** The client has gone. */
  readonly gone: AbortSignal;
  /** Also the worker's reports, of at most so many bytes, before the answer. */
  readonly reportBytes?: number;
}

export interface TakenAnswer extends AwaitedAnswer {
  /** Who has, or had, the task. */
  readonly agent: AgentName;
}

/** Waits for the message that answers a task of the caller's, or for what ended it. */
export const takeAnswer = defineRequest(
  async (context: LiveContext, { agent: caller }, wish: AnswerWish): Promise<TakenAnswer> => {
    const { ledger, live } = context;
    const { timeoutMs: limitMs, gone, reportBytes } = wish;
    const { task, agent } = await ledger.read(async (tx) => {
      const { id, from, to } = await resolveMessage(tx, wish.task, caller);
      requireSelf(caller, from, 'take the answer to a task');
      const named = (await tx.agents.listNames([to])).get(to) ?? { name: to };
      return { task: id, agent: { id: to, ...named } };
    });
    const { signal, leave } = joinSignals([gone, live.ending]);
    const wait = { task, limitMs, signal, ...(reportBytes === undefined ? {} : { reportBytes }) };
    const stays = `The task ${task} stays given to "${callName(agent)}"; only the wait for its answer has ended.`;
    const answer = await noteDone(stays, () => awaitAnswer(live.team, wait)).finally(leave);
    return { ...answer, agent };
  },
);
