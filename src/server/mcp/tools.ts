import type { Tool } from './tool.ts';
import { ackTool } from './tools/ack.ts';
import { answerQuestionTool } from './tools/answer-question.ts';
import { assignTool } from './tools/assign.ts';
import { checkInboxTool } from './tools/check-inbox.ts';
import { getOutputTool } from './tools/get-output.ts';
import { handoffTool } from './tools/handoff.ts';
import { listAgentsTool } from './tools/list-agents.ts';
import { sendMessageTool } from './tools/send-message.ts';
import { stopAgentTool } from './tools/stop-agent.ts';

/** Few, and named as people know them from elsewhere. */
export const tools: readonly Tool[] = [
  handoffTool,
  assignTool,
  sendMessageTool,
  checkInboxTool,
  ackTool,
  listAgentsTool,
  getOutputTool,
  stopAgentTool,
  answerQuestionTool,
];
