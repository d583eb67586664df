import { z } from 'zod';
import { findSenders } from '../../../delivery/deliver.ts';
import type { Message } from '../../../messages/message.ts';
import { ordinaryCallMs } from '../../../providers/provider.ts';
import type { Assigned } from '../../../team/assign.ts';
import { type AwaitedAnswer, awaitAnswer } from '../../../team/await-answer.ts';
import { giveTask, taskAliases, taskInput } from '../give-task.ts';
import { beginLetter, fence, viewShown } from '../letters.ts';
import { noteBroken } from '../note-broken.ts';
import { acts, type Call, defineTool, type Outcome } from '../tool.ts';

export const handoffTool = defineTool({
  name: 'handoff',
  description:
    'Gives a task to another agent and waits for its answer. If that takes too long for one call, the answer comes to you as a message instead.',
  unwoken:
    'Gives a task to another agent and waits for its answer. If that takes too long for one call, take the answer with check_inbox later.',
  input: taskInput.extend({
    timeout_seconds: z.number().min(1).max(3600).optional().describe('Wait at most so long.'),
  }),
  aliases: taskAliases,
  annotations: acts,
  run: async (call, { timeout_seconds: seconds, ...given }) => {
    const { parts, caller, signal } = call;
    const { clock, team, ending } = parts;
    const startedMs = clock.monotonicMs();
    const mostMs = (await parts.toolCallMsOf(caller.provider)) ?? ordinaryCallMs;
    const wantedMs = Math.min(seconds === undefined ? mostMs : seconds * 1000, mostMs);
    const assigned = await giveTask(call, given);
    const limitMs = Math.max(0, wantedMs - (clock.monotonicMs() - startedMs));
    const over = AbortSignal.any([signal, ending]);
    const answer = await awaitAnswer(team, { task: assigned.task, limitMs, signal: over });
    return describe(call, assigned, answer);
  },
});

async function describe(
  call: Call,
  { agent, task }: Assigned,
  { outcome, message, finish, lose }: AwaitedAnswer,
): Promise<Outcome> {
  const facts = { agent: agent.name, task };
  if (!message || outcome === 'pending' || outcome === 'elsewhere') {
    const isOpen = outcome === 'pending' || outcome === 'elsewhere';
    const note = isOpen
      ? describePending(call.isWoken)
      : `${agent.name} will not answer: ${outcome}. Give the task to another, or do it yourself.`;
    const text = `${agent.name} has the task (${task}). ${note}`;
    if (!isOpen) return { document: { outcome, ...facts, reason: note }, text };
    return noteBroken(call, agent, { document: { outcome: 'pending', ...facts, note }, text });
  }
  const shown = await show(call, message);
  const heading =
    outcome === 'answered'
      ? `${agent.name} has answered your task ${task}.`
      : `${agent.name} has not answered your task ${task}: ${outcome}.`;
  const { body } = shown.view;
  return {
    document: {
      ...{ outcome, ...facts },
      ...(outcome === 'answered' ? { answer: body } : { reason: body }),
      message: message.id,
    },
    text: [heading, ...shown.lines].join('\n'),
    carried: { finish: () => finish(shown.letter), lose },
  };
}

function describePending(isWoken: boolean): string {
  return isWoken
    ? 'No answer yet: it will arrive as a message. Go on, or end your turn; do not poll.'
    : 'No answer yet: it will wait in your inbox. Go on, and take it with check_inbox later.';
}

function show({ parts, caller }: Call, message: Message) {
  return parts.ledger.read(async (tx) => {
    const letter = beginLetter(message);
    const senderOf = await findSenders(tx, caller.id, [letter]);
    const view = viewShown(letter, senderOf(letter.from));
    return { letter, lines: fence([letter], senderOf), view };
  });
}
