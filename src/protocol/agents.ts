import type {
  agentListSchema,
  agentNameSchema,
  agentSchema,
  failedSchema,
  missingRouteSchema,
  removedSchema,
  removeResultSchema,
} from './schemas/agents.ts';
import type { Document } from './schemas/document.ts';

/** How every document names an agent. */
export type AgentName = Document<typeof agentNameSchema>;

export type AgentView = Document<typeof agentSchema>;

export type AgentList = Document<typeof agentListSchema>;

export type MissingRoute = Document<typeof missingRouteSchema>;

export type RemoveResult = Document<typeof removeResultSchema>;

/** One of several that were asked for together. */
export type Failed = Document<typeof failedSchema>;

export type Removed = Document<typeof removedSchema>;
