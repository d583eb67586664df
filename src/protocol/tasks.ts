import type { Document } from './schemas/document.ts';
import type { answerSchema, taskRequestSchema, taskSchema } from './schemas/tasks.ts';

/** An assign: to an agent that lives, or to a profile or provider from which one is launched. */
export type TaskRequest = Document<typeof taskRequestSchema>;

export type TaskView = Document<typeof taskSchema>;

export type AnswerView = Document<typeof answerSchema>;
