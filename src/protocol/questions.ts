import type { Document } from './schemas/document.ts';
import type { agentQuestionsSchema, decidedSchema, decisionSchema } from './schemas/questions.ts';

export type AgentQuestions = Document<typeof agentQuestionsSchema>;

export type DecisionRequest = Document<typeof decisionSchema>;

export type DecidedView = Document<typeof decidedSchema>;
