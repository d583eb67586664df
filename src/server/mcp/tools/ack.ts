import { z } from 'zod';
import { ack } from '../../../requests/ack.ts';
import { acts, defineTool, nameInput } from '../tool.ts';

export const ackTool = defineTool({
  name: 'ack',
  description:
    'Marks messages to you as handled. Rarely needed: your next call does it for what check_inbox gave you, and so does an answer.',
  input: z.strictObject({ ids: z.array(nameInput).min(1).max(100).describe('Their numbers.') }),
  annotations: { ...acts, idempotentHint: true },
  run: async ({ context, caller }, { ids }) => {
    const messages = await ack(context, caller, { ids });
    return { document: { messages }, text: [`Acked: ${messages.map(({ id }) => id).join(', ')}.`] };
  },
});
