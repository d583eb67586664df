import { z } from 'zod';
import { findSenders, nameAll } from '../../../delivery/write-attempt.ts';
import { type Drained, drain } from '../../../requests/drain.ts';
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
    message: nameInput.optional().describe('Only this one: its number.'),
    part: z
      .number()
      .int()
      .min(1)
      .max(100_000)
      .optional()
      .describe('Of a long `message`, this part.'),
  }),
  annotations: acts,
  run: async (call, { max, message, part }) => {
    const { context, caller } = call;
    const drained = await drain(context, caller, { max, message, part, inParts: true });
    const { letters, finish, lose } = drained;
    const outcome = await describe(call, drained);
    return letters.length === 0 ? outcome : { ...outcome, carried: { finish, lose } };
  },
});

function describe(
  { context: { ledger }, caller, mark }: Call,
  { letters, remaining, prompts, deadLetters }: Drained,
): Promise<Outcome> {
  return ledger.read(async (tx) => {
    const senderOf = await findSenders(tx, caller.agent.id, letters);
    const nameOf = await nameAll(tx, caller.agent.id, letters);
    const notes = [
      ...(remaining > 0 ? [`${remaining} more wait: call check_inbox again.`] : []),
      ...(prompts > 0
        ? ['Your user has written to you: it reaches you by itself when you rest.']
        : []),
      ...(deadLetters > 0 ? [`${deadLetters} could not be delivered to you.`] : []),
    ];
    const told =
      letters.length === 0 ? 'Nothing waits for you.' : fence(mark, letters, senderOf, nameOf);
    return {
      document: {
        messages: letters.map((message) => viewShown(message, senderOf(message.from))),
        remaining,
        deadLetters,
      },
      text: [told, ...notes],
    };
  });
}
