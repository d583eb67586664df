import { z } from 'zod';
import { nameFor } from '../../../agents/reference.ts';
import { findSenders, nameAll } from '../../../delivery/write-attempt.ts';
import type { Message } from '../../../messages/message.ts';
import { wholeBytes } from '../../../messages/parts.ts';
import { ownShortId } from '../../../messages/short-id.ts';
import { ordinaryCallMs } from '../../../providers/capabilities.ts';
import { tellUnwoken } from '../../../requests/parts/tell-unwoken.ts';
import { takeAnswer } from '../../../requests/take-answer.ts';
import type { Assigned } from '../../../team/assign.ts';
import type { AwaitedAnswer } from '../../../team/take-answer.ts';
import {
  describeElsewhere,
  describeGiven,
  giveTask,
  taskAliases,
  taskInput,
} from '../give-task.ts';
import { beginLetter, fence, viewShown } from '../letters.ts';
import { noteUnheard } from '../note-unheard.ts';
import { acts, type Call, defineTool, type Outcome } from '../tool.ts';

export const handoffTool = defineTool({
  name: 'handoff',
  description:
    'Gives a task to another agent and waits. The result is what it sent you meanwhile, then its last words. If that takes too long for one call, the answer comes to you as a message instead.',
  unwoken:
    'Gives a task to another agent and waits. The result is what it sent you meanwhile, then its last words. If that takes too long for one call, take the answer with check_inbox later.',
  input: taskInput.extend({
    timeout_seconds: z.number().min(1).max(3600).optional().describe('Wait at most so long.'),
    keep: z.boolean().optional().describe('The agent launched for it runs on afterwards.'),
  }),
  aliases: taskAliases,
  annotations: acts,
  run: async (call, { timeout_seconds: seconds, keep, ...given }) => {
    const { parts, context, caller, signal: gone } = call;
    const { clock } = context.surroundings;
    const startedMs = clock.monotonicMs();
    const mostMs = (await parts.toolCallMsOf(caller.agent.provider)) ?? ordinaryCallMs;
    const wantedMs = seconds === undefined ? mostMs : seconds * 1000;
    const kept = keep === undefined ? {} : { keep };
    const { given: gave, view } = await giveTask(call, given, { handoff: true, ...kept });
    const called = nameFor(caller.agent, gave.agent);
    const assigned = { ...gave, called, short: view.short ?? gave.task };
    const spentMs = clock.monotonicMs() - startedMs;
    const timeoutMs = Math.max(0, Math.min(wantedMs, mostMs) - spentMs);
    const wish = { task: assigned.task, timeoutMs, gone, reportBytes: wholeBytes };
    const answer = await takeAnswer(context, caller, wish);
    const outcome = await describe(call, assigned, answer);
    return wantedMs > mostMs ? noteLimit(outcome, seconds, mostMs / 1000) : outcome;
  },
});

async function describe(call: Call, assigned: Named, answer: AwaitedAnswer): Promise<Outcome> {
  const { outcome } = answer;
  const message = outcome === 'elsewhere' ? undefined : answer.message;
  const shown = await show(call, [...answer.reports, ...(message ? [message] : [])]);
  const reports = shown.views.slice(0, answer.reports.length);
  const { facts, lines } = message
    ? describeEnd(assigned, answer, shown.views.at(-1))
    : describeNone(call, assigned, answer);
  const told = {
    document: {
      ...{ outcome, agent: assigned.called, task: assigned.task, short: assigned.short },
      // Before the last words here, too: Codex 0.166.0 shows its model this document, and not the
      // text.
      ...(reports.length === 0 ? {} : { reports }),
      ...facts,
      ...(assigned.also === undefined ? {} : { also: assigned.also }),
    },
    text: [...lines, ...shown.lines, ...sayNamesake(assigned)],
  };
  const { letters } = shown;
  const carried = {
    finish: (line?: string) => answer.finish(letters, line),
    lose: answer.lose,
  };
  const whole = letters.length === 0 ? told : { ...told, carried };
  if (outcome !== 'pending') return whole;
  // As it is now: the call has waited a while.
  const unwoken = tellUnwoken(call.context.live, assigned.agent);
  return noteUnheard(call, assigned.agent, whole, unwoken);
}

/** With the task's short id, and the name by which the caller can call the agent. */
type Named = Assigned & { readonly short: string; readonly called: string };

/** Which of the two it was is no matter of course. */
function sayNamesake(assigned: Assigned): readonly string[] {
  return assigned.also === undefined ? [] : [describeGiven(assigned)];
}

interface Described {
  readonly facts: Readonly<Record<string, unknown>>;
  readonly lines: readonly string[];
}

/** By the message that ended the task. */
function describeEnd(
  { called, short }: Named,
  { outcome, message }: AwaitedAnswer,
  view: Readonly<Record<string, unknown>> | undefined,
): Described {
  const isAnswered = outcome === 'answered';
  const heading = isAnswered
    ? `${called} has answered your task ${short}.`
    : `${called} has not answered your task ${short}: ${outcome}.`;
  const body = view?.['body'];
  const said = isAnswered ? { answer: body } : { reason: body };
  return { facts: { ...said, message: message?.id }, lines: [heading] };
}

function describeNone(
  { isWoken }: Call,
  { called, short }: Named,
  { outcome, ended, message, isAsked }: AwaitedAnswer,
): Described {
  const has = `${called} has the task (${short}).`;
  if (outcome === 'elsewhere') {
    const note = describeElsewhere(isWoken, message ? ownShortId(message) : '');
    return {
      facts: { note, message: message?.id },
      lines: [`The task ${short} for ${called} ${describeBefore(ended, message)}. ${note}`],
    };
  }
  if (outcome !== 'pending') {
    const reason = `${called} will not answer: ${outcome}. Give the task to another, or do it yourself.`;
    return { facts: { reason }, lines: [`${has} ${reason}`] };
  }
  const note = isAsked ? describeAsked(isWoken) : describePending(isWoken);
  return { facts: { note }, lines: [`${has} ${note}`] };
}

/** A repeated key: the answer is not given a second time as if it were new. */
function describeBefore(ended: AwaitedAnswer['ended'], message: Message | undefined): string {
  const isAnswered = ended === 'answered' && message !== undefined;
  return isAnswered ? `was answered before, as ${message.id}` : 'has ended';
}

function describeAsked(isWoken: boolean): string {
  return `It asks you something and waits for your word: answer with send_message and reply_to. ${
    isWoken
      ? 'Its answer to the task will arrive as a message.'
      : 'Its answer to the task will wait in your inbox: take it with check_inbox.'
  }`;
}

/** What was asked for is not what was done: it says so. */
function noteLimit(outcome: Outcome, asked: number | undefined, most: number): Outcome {
  const limit = `timeout_seconds: ${asked} is more than a call of yours may take; this one waited at most ${most} s.`;
  return {
    ...outcome,
    document: { ...outcome.document, limit },
    text: [...outcome.text, limit],
  };
}

function describePending(isWoken: boolean): string {
  return isWoken
    ? 'No answer yet: it will arrive as a message. Go on, or end your turn; do not poll.'
    : 'No answer yet: it will wait in your inbox. Go on, and take it with check_inbox later.';
}

function show({ context, caller, mark }: Call, messages: readonly Message[]) {
  return context.ledger.read(async (tx) => {
    const letters = messages.map(beginLetter);
    const senderOf = await findSenders(tx, caller.agent.id, letters);
    const nameOf = await nameAll(tx, caller.agent.id, letters);
    const views = letters.map((letter) => viewShown(letter, senderOf(letter.from)));
    const lines = letters.length === 0 ? [] : [fence(mark, letters, senderOf, nameOf)];
    return { letters, lines, views };
  });
}
