import { z } from '@hono/zod-openapi';
import type { DebtEnd } from '../../messages/debt.ts';
import { messageId, time } from './values.ts';

const debtEnds = [
  'answered',
  'exited',
  'removed',
  'dead',
  'withdrawn',
] as const satisfies readonly DebtEnd[];

/** Of a task: what `explain` says of its answer. */
export const debtStorySchema = z.object({
  isOwed: z.boolean().describe('Somebody waits for its answer.'),
  end: z
    .enum(debtEnds)
    .optional()
    .describe(
      'What ended that: `answered`; `withdrawn`, it was taken back; `exited` and `removed`, its worker is gone; `dead`, it never arrived.',
    ),
  endedAt: time.optional().describe('When.'),
  endedBy: messageId.optional().describe('The message that ended it, to who gave the task.'),
  told: messageId
    .optional()
    .describe('Of a task that was taken back: the notice that tells its worker.'),
});
