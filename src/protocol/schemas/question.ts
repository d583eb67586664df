import { z } from '@hono/zod-openapi';
import type { ShownQuestion } from '../../agents/question.ts';

const asked = ['command', 'edit', 'tool'] as const satisfies readonly ShownQuestion['asks'][];
const decisions = ['allow', 'deny'] as const satisfies ShownQuestion['decisions'];

/** One question that can be answered without the terminal of its agent. */
export const questionSchema = z
  .object({
    id: z
      .string()
      .describe('Its name, `q` and six letters; another text or another request has another one.'),
    asks: z
      .enum(asked)
      .describe('What `allow` would permit once: a command, a change of files, or another tool.'),
    text: z.string().describe('What it asks, in the words of its CLI, one fact a line.'),
    decisions: z.array(z.enum(decisions)).readonly().describe('What can be answered.'),
    isSubAgents: z.literal(true).optional().describe('A sub-agent of it asks.'),
    isCut: z
      .literal(true)
      .optional()
      .describe('`text` is its beginning; `signalbox answer` shows all of it.'),
  })
  .openapi('Question');
