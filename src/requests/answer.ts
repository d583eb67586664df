import type { Agent } from '../agents/agent.ts';
import type { Answer, AnswerPlace } from '../agents/answer.ts';
import type { Caller } from '../agents/caller.ts';
import type { ShownQuestion } from '../agents/question.ts';
import { nameFor } from '../agents/reference.ts';
import { resolveAgent } from '../fleet/resolve-agent.ts';
import type { DecidedView } from '../protocol/questions.ts';
import { nameView } from '../protocol/views.ts';
import { reachFailPoint } from '../shared/fail-point.ts';
import { Fault } from '../shared/fault.ts';
import { createId } from '../shared/ids.ts';
import { quote } from '../shared/quote.ts';
import type { LiveContext } from './context.ts';
import { defineRequest } from './define.ts';
import { requireDecider, requireNoScript, requireWithin } from './parts/require-decider.ts';
import { settleAnswer } from './parts/settle-answer.ts';

export interface AnswerWish {
  readonly agent: string;
  /** As it was shown: another text has another name. */
  readonly question: string;
  readonly decision: Answer['decision'];
  /** Of an agent that decides: by a command, or by its tool. */
  readonly place: AnswerPlace;
  /** For the record, as the user's own command says it. */
  readonly who?: string | undefined;
  readonly gone: AbortSignal;
}

/**
 * Decides exactly the question that was shown, once, through the CLI's own channel (rules 23, 54).
 * The row is on disk before anything reaches the CLI, and says afterwards what came of it: what a
 * killed daemon leaves behind stands there as undecided.
 */
export const answer = defineRequest(
  async (context: LiveContext, caller, wish: AnswerWish): Promise<DecidedView> => {
    const { ledger, live, surroundings } = context;
    const agent = await ledger.read((tx) => resolveAgent(tx, wish.agent, caller));
    requireNoScript(caller);
    await requireDecider(context, caller, agent);
    const question = findQuestion(context, caller, agent, wish.question);
    if (caller.kind === 'agent' && wish.decision === 'allow') {
      const held = await live.fleet.permissionOf(caller.agent.id);
      requireWithin(held, { caller: caller.agent, agent });
    }
    const id = createId('ans', surroundings.clock.now());
    const row = describe(context, caller, agent, { id, question, wish });
    await live.fleet.settleLeft();
    await ledger.write((tx) => tx.answers.insert(row));
    await reachFailPoint('answer.noted');
    const decided = await live.fleet.decide(agent.id, question.id, wish.decision, wish.gone);
    await reachFailPoint('answer.decided');
    const { outcome } = decided;
    const reason = 'reason' in decided ? { reason: decided.reason } : {};
    const end = { outcome, ...reason, at: surroundings.clock.now() };
    await settleAnswer(context, { id, question: question.id }, end);
    if (outcome === 'gone') throw questionGone(context, caller, agent, question.id);
    if (outcome === 'refused') {
      throw new Fault(
        'undeliverable',
        `The answer did not reach "${nameFor(caller.agent, agent)}": ${decided.reason}. It still asks.`,
        'Try again, or answer in its terminal.',
      );
    }
    const { decision } = wish;
    return { agent: nameView(agent), question: question.id, decision, outcome, ...reason };
  },
);

function findQuestion(
  context: LiveContext,
  caller: Caller,
  agent: Agent,
  id: string,
): ShownQuestion {
  const { questions, isBlind } = context.live.fleet.questions(agent.id);
  const found = questions.find((question) => question.id === id);
  if (found) return found;
  if (isBlind) {
    throw new Fault(
      'undeliverable',
      `The CLI of "${nameFor(caller.agent, agent)}" cannot be asked right now.`,
      'Try again in a moment, or answer in its terminal.',
    );
  }
  throw questionGone(context, caller, agent, id);
}

/** It was answered, it has changed, or it never was: nothing was done. */
function questionGone({ live }: LiveContext, caller: Caller, agent: Agent, id: string): Fault {
  const name = nameFor(caller.agent, agent);
  const others = live.fleet.questions(agent.id).questions.filter((one) => one.id !== id);
  const ids = others.map((one) => one.id).join(', ');
  return new Fault(
    'question-gone',
    `"${name}" does not ask ${quote(id)} any more; nothing was done.`,
    others.length > 0
      ? `It asks ${ids} now: look with \`signalbox answer ${name}\`.`
      : `See \`signalbox status ${name}\` for what it does now.`,
  );
}

/** Of a text in the history, in characters; its name is bound to all of it. */
const mostKept = 4000;

function describe(
  { surroundings }: LiveContext,
  { kind, agent: by, place: at }: Caller,
  agent: Agent,
  {
    id,
    question,
    wish,
  }: { readonly id: string; readonly question: ShownQuestion; readonly wish: AnswerWish },
): Answer {
  const { who, decision, place } = wish;
  return {
    ...{ id, agent: agent.id, epoch: agent.epoch, question: question.id, asks: question.asks },
    ...{ text: question.text.slice(0, mostKept), decision, outcome: 'deciding', by: by.id },
    ...(kind === 'user' && who !== undefined && at === undefined ? { who } : {}),
    place: at ?? (kind === 'user' || place === 'tool' ? place : 'command'),
    at: surroundings.clock.now(),
  };
}
