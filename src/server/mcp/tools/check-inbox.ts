import { z } from 'zod';
import type { Agent } from '../../../agents/agent.ts';
import { findSenders } from '../../../delivery/deliver.ts';
import type { Letter } from '../../../delivery/letter.ts';
import { requireSelf } from '../../../fleet/permissions.ts';
import { resolveMessage } from '../../../fleet/resolve-message.ts';
import { settleInboxes } from '../../../fleet/settle-inboxes.ts';
import { Fault } from '../../../shared/fault.ts';
import { surroundingsOf } from '../../caller.ts';
import type { ServerParts } from '../../parts.ts';
import { countDeadLetters, takeInbox } from '../../take-inbox.ts';
import { fence, viewShown } from '../letters.ts';
import { acts, type Call, defineTool, nameInput, type Outcome } from '../tool.ts';

export const checkInboxTool = defineTool({
  name: 'check_inbox',
  description:
    'Takes the messages that wait for you. They also reach you by themselves when you are idle: do not poll.',
  unwoken:
    'Takes the messages that wait for you. Nothing wakes you when one comes: call it before you end your work, and when you wait for an answer.',
  input: z.strictObject({
    max: z.number().int().min(1).max(30).optional().describe('At most so many.'),
    message: nameInput.optional().describe('Only this one: msg_…'),
    part: z
      .number()
      .int()
      .min(1)
      .max(100_000)
      .optional()
      .describe('Of a long `message`, this part.'),
  }),
  annotations: acts,
  run: async ({ parts, caller, mark, isKept }, { max, message, part }) => {
    const inbox = { agent: caller, caller };
    const { ledger } = parts;
    await settleInboxes({ ledger, surroundings: surroundingsOf(parts) }, [caller]);
    const only = await readAddress(parts, caller, message, part);
    const taking = { max, inParts: true, isKept, ...(only === undefined ? {} : { only }) };
    const handed = await takeInbox(parts, inbox, taking);
    const { messages, remaining, finish, lose } = handed;
    const outcome = await describe(parts, { caller, mark }, messages, remaining);
    return messages.length === 0 ? outcome : { ...outcome, carried: { finish, lose } };
  },
});

async function readAddress(
  { ledger }: ServerParts,
  caller: Agent,
  message: string | undefined,
  part: number | undefined,
): Promise<{ readonly message: string; readonly part?: number } | undefined> {
  if (message === undefined && part === undefined) return undefined;
  if (message === undefined) {
    throw new Fault('invalid-input', 'A part is one of a message.', 'Give `message` with its id.');
  }
  const { id, to } = await ledger.read((tx) => resolveMessage(tx, message));
  requireSelf(caller, to, `take ${id} out of the inbox`);
  return { message: id, ...(part === undefined ? {} : { part }) };
}

function describe(
  { ledger }: ServerParts,
  { caller, mark }: Pick<Call, 'caller' | 'mark'>,
  shown: readonly Letter[],
  remaining: number,
): Promise<Outcome> {
  return ledger.read(async (tx) => {
    const senderOf = await findSenders(tx, caller.id, shown);
    const deadLetters = await countDeadLetters(tx, caller);
    const notes = [
      ...(remaining > 0 ? [`${remaining} more wait: call check_inbox again.`] : []),
      ...(deadLetters > 0 ? [`${deadLetters} could not be delivered to you.`] : []),
    ];
    const told = shown.length === 0 ? 'Nothing waits for you.' : fence(mark, shown, senderOf);
    return {
      document: {
        messages: shown.map((message) => viewShown(message, senderOf(message.from))),
        remaining,
        deadLetters,
      },
      text: [told, ...notes],
    };
  });
}
