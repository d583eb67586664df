import { z } from 'zod';
import { nameFor } from '../../../agents/reference.ts';
import { nameMessages } from '../../../delivery/name-messages.ts';
import { send } from '../../../requests/send.ts';
import { findWay } from '../find-way.ts';
import { noteUnheard } from '../note-unheard.ts';
import { acts, defineTool, nameInput } from '../tool.ts';

export const sendMessageTool = defineTool({
  name: 'send_message',
  description:
    'Sends a message. Without `to` it goes to whoever gave you your task, else to your parent. It answers a task only with `reply_to`; else the task stays open. It is safe once this returns: do not wait for it.',
  input: z.strictObject({
    body: z.string().describe('The text.'),
    to: nameInput.optional().describe('Name or id of an agent, or "user".'),
    reply_to: nameInput.optional().describe('Number of the message or task it answers.'),
    question: z.boolean().optional().describe('It only asks back: your task stays open.'),
    urgent: z.boolean().optional().describe('Interrupt the recipient’s work.'),
    key: nameInput.optional().describe('Your own; the same key again sends nothing twice.'),
  }),
  aliases: { receiver_id: 'to', terminal_id: 'to', message: 'body' },
  annotations: acts,
  run: async (call, given) => {
    const { context, caller } = call;
    const { body, urgent, key, question = false } = given;
    const more = {
      ...(urgent === undefined ? {} : { urgent }),
      ...(key === undefined ? {} : { key }),
    };
    const { sent, to, outgoing } = await send(context, caller, {
      outgoing: async (tx, from) => ({ ...(await findWay(tx, from, given)), body, ...more }),
      isQuestion: question,
    });
    const { replyTo } = outgoing;
    // A version is a person's to choose.
    const { unwoken, versionWarning: _, ...facts } = sent;
    const isBack = sent.broughtBack && unwoken === undefined;
    const back = isBack ? ' It had ended, and comes back with its conversation.' : '';
    const { owes, nameOf } = await context.ledger.read(async (tx) => {
      const owed = await tx.debts.listOwedBy(caller.agent.id);
      const owes = owed.filter(({ creditor }) => creditor === to.id).map(({ task }) => task);
      const named = [...owes, ...(replyTo === undefined ? [] : [replyTo])];
      return { owes, nameOf: await nameMessages(tx, caller.agent.id, named) };
    });
    const called = nameFor(caller.agent, to);
    const about = replyTo === undefined ? '' : `, about ${nameOf(replyTo)}`;
    const [said, left] = sent.duplicate
      ? [`That was already sent to ${called} as ${sent.short}; nothing was sent twice.`, '']
      : [`Sent to ${called} as ${sent.short}${about}.${back}`, sayOpen(owes.map(nameOf), question)];
    const outcome = {
      document: {
        ...facts,
        ...(replyTo === undefined ? {} : { replyTo }),
        ...(owes.length === 0 ? {} : { owes }),
      },
      text: [`${said}${left}`],
    };
    return noteUnheard(call, to, outcome, unwoken);
  },
});

/** A model that has reported may take its task for answered. */
function sayOpen([task, ...others]: readonly string[], isQuestion: boolean): string {
  if (task === undefined) return '';
  if (isQuestion) return ` Task ${task} stays open until it is answered. End your turn to wait.`;
  if (others.length > 0) {
    return ` ${others.length + 1} tasks are still open: ${[task, ...others].slice(0, 20).join(', ')}.`;
  }
  return ` It answers no task: task ${task} is still open. End your turn with the answer, or call send_message with reply_to ${task}.`;
}
