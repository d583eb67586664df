import type { z } from '@hono/zod-openapi';
import {
  agentListSchema,
  agentSchema,
  removeResultSchema,
} from '../../src/protocol/schemas/agents.ts';
import { healthSchema } from '../../src/protocol/schemas/daemon.ts';
import { demoOutcomeSchema } from '../../src/protocol/schemas/demo.ts';
import { detectorRulesSchema, detectResultSchema } from '../../src/protocol/schemas/detect.ts';
import { doctorReportSchema } from '../../src/protocol/schemas/doctor.ts';
import { eventListSchema, eventSchema } from '../../src/protocol/schemas/events.ts';
import { interruptSchema } from '../../src/protocol/schemas/interrupt.ts';
import {
  ackResultSchema,
  cancelSchema,
  drainSchema,
  explanationSchema,
  inboxListSchema,
  messageSchema,
  partSchema,
} from '../../src/protocol/schemas/messages.ts';
import { dashboardSchema } from '../../src/protocol/schemas/page.ts';
import * as printed from '../../src/protocol/schemas/printed.ts';
import { profileSchema } from '../../src/protocol/schemas/profiles.ts';
import { agentQuestionsSchema, decidedSchema } from '../../src/protocol/schemas/questions.ts';
import { taskSchema } from '../../src/protocol/schemas/tasks.ts';
import {
  attachSchema,
  outputPieceSchema,
  outputSchema,
} from '../../src/protocol/schemas/terminals.ts';

/** One document that a command prints with `--json`. */
export interface PrintedDocument {
  readonly schema: z.ZodType;
  /** With which options; absent for the usual one. */
  readonly when?: string;
  /** One document per line. */
  readonly isLine?: true;
}

const list: readonly PrintedDocument[] = [
  { schema: agentListSchema },
  { schema: agentListSchema, when: '`--watch`', isLine: true },
];
const removed: readonly PrintedDocument[] = [{ schema: removeResultSchema }];

const changedLetters: readonly PrintedDocument[] = [
  { schema: messageSchema },
  { schema: printed.changedLettersSchema, when: '`--all`, or several messages' },
];

/** By command, in the order of docs/json.md. */
export const printedDocuments: Readonly<Record<string, readonly PrintedDocument[]>> = {
  send: [{ schema: printed.sentSchema }],
  'inbox list': [{ schema: inboxListSchema }],
  'inbox show': [{ schema: partSchema }],
  'inbox drain': [{ schema: drainSchema }],
  'inbox ack': [{ schema: ackResultSchema }],
  explain: [{ schema: explanationSchema }],
  cancel: [{ schema: cancelSchema }],
  interrupt: [{ schema: interruptSchema }],
  'dead-letters list': [{ schema: inboxListSchema }],
  'dead-letters retry': changedLetters,
  'dead-letters discard': changedLetters,
  ls: list,
  'agents ls': list,
  'agents add': [{ schema: agentSchema }],
  'agents rm': removed,
  rm: removed,
  dashboard: [{ schema: dashboardSchema }],
  attention: [
    { schema: printed.attentionSchema },
    { schema: printed.attentionSchema, when: '`--watch`', isLine: true },
  ],
  'tmux-status': [{ schema: printed.attentionSchema }],
  status: [{ schema: agentSchema }],
  launch: [{ schema: agentSchema }],
  stop: [{ schema: printed.stoppedSchema }],
  restart: [{ schema: printed.restartedSchema }],
  output: [
    { schema: outputSchema },
    { schema: outputPieceSchema, when: '`--follow`', isLine: true },
  ],
  answer: [
    { schema: agentQuestionsSchema },
    { schema: decidedSchema, when: 'a question and a decision' },
  ],
  attach: [{ schema: attachSchema }],
  assign: [{ schema: taskSchema }],
  handoff: [{ schema: printed.handoffSchema }],
  'run-task': [{ schema: printed.runSchema }],
  events: [{ schema: eventListSchema }, { schema: eventSchema, when: '`--follow`', isLine: true }],
  logs: [
    { schema: printed.daemonLogSchema },
    { schema: printed.terminalLogSchema, when: 'an agent' },
  ],
  up: [{ schema: printed.upSchema }],
  down: [{ schema: printed.downSchema }],
  uninstall: [{ schema: printed.uninstalledSchema }],
  health: [{ schema: healthSchema }],
  doctor: [{ schema: doctorReportSchema }],
  detect: [
    { schema: detectResultSchema, when: 'a screen' },
    { schema: detectorRulesSchema, when: 'no screen' },
  ],
  'profile list': [{ schema: printed.profileListSchema }],
  'profile show': [{ schema: profileSchema }],
  'profile validate': [{ schema: printed.profileListSchema }],
  'profile add': [{ schema: profileSchema }],
  'profile rm': [{ schema: printed.removedProfileSchema }],
  trust: [
    { schema: printed.trustListSchema },
    { schema: printed.revokedSchema, when: '`--revoke`' },
  ],
  config: [{ schema: printed.configSchema }],
  'config path': [{ schema: printed.configPathsSchema }],
  'config get': [{ schema: printed.settingSchema }],
  'config set': [{ schema: printed.settingSchema }],
  completion: [{ schema: printed.completionScriptSchema }],
  demo: [{ schema: demoOutcomeSchema }],
};
