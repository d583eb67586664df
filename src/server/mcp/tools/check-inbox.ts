import { z } from 'zod';
import type { Agent } from '../../../agents/agent.ts';
import { findSenders } from '../../../delivery/deliver.ts';
import { settleInboxes } from '../../../fleet/settle-inboxes.ts';
import { surroundingsOf } from '../../caller.ts';
import type { ServerParts } from '../../parts.ts';
import { countDeadLetters, takeInbox } from '../../take-inbox.ts';
import { fence, type Shown, shorten, viewShown } from '../letters.ts';
import { acts, defineTool, type Outcome } from '../tool.ts';

export const checkInboxTool = defineTool({
  name: 'check_inbox',
  description:
    'Takes the messages that wait for you. They also reach you by themselves when you are idle: do not poll.',
  input: z.object({
    max: z.number().int().min(1).max(30).optional().describe('At most so many.'),
  }),
  annotations: acts,
  run: async ({ parts, caller }, { max }) => {
    const inbox = { agent: caller, caller };
    const { ledger } = parts;
    await settleInboxes({ ledger, surroundings: surroundingsOf(parts) }, [caller]);
    const handed = await takeInbox(parts, inbox, { max, isForModel: true });
    const shown = handed.messages.map(shorten);
    const partly = shown.flatMap(({ id, parts: of }) => (of === 1 ? [] : [id]));
    const outcome = await describe(parts, caller, shown, handed.remaining);
    const carried = { finish: () => handed.finish(partly), lose: handed.lose };
    return handed.messages.length === 0 ? outcome : { ...outcome, carried };
  },
});

function describe(
  { ledger }: ServerParts,
  caller: Agent,
  shown: readonly Shown[],
  remaining: number,
): Promise<Outcome> {
  return ledger.read(async (tx) => {
    const senderOf = await findSenders(tx, caller.id, shown);
    const deadLetters = await countDeadLetters(tx, caller);
    const notes = [
      ...(remaining > 0 ? [`${remaining} more wait: call check_inbox again.`] : []),
      ...(deadLetters > 0 ? [`${deadLetters} could not be delivered to you.`] : []),
    ];
    const lines = shown.length === 0 ? ['Nothing waits for you.'] : fence(shown, senderOf);
    return {
      document: {
        messages: shown.map((message) => viewShown(message, senderOf(message.from))),
        remaining,
        deadLetters,
      },
      text: [...lines, ...notes].join('\n'),
    };
  });
}
