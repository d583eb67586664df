import { z } from 'zod';
import { ack } from '../../../fleet/ack.ts';
import { acts, defineTool, nameInput } from '../tool.ts';

export const ackTool = defineTool({
  name: 'ack',
  description:
    'Marks messages to you as handled. Rarely needed: your next call does it for what check_inbox gave you, and so does an answer.',
  input: z.strictObject({ ids: z.array(nameInput).min(1).max(100).describe('Ids: msg_…') }),
  annotations: { ...acts, idempotentHint: true },
  run: async ({ parts: { ledger, clock }, caller }, { ids }) => {
    const wanted = [...new Set(ids)];
    const messages = await ledger.write((tx) => ack(tx, clock.now(), caller, wanted));
    return { document: { messages }, text: [`Acked: ${wanted.join(', ')}.`] };
  },
});
