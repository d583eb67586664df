import { z } from '@hono/zod-openapi';
import { causeCodes } from '../../messages/cause.ts';
import { listWaitCodes } from '../../messages/describe-wait.ts';

/** ISO 8601 in UTC. */
export const time = z.string().openapi({ format: 'date-time' });

export const count = z.number().int().min(0);

export const agentId = z.string().regex(/^agt_\w+$/);

export const messageId = z.string().regex(/^msg_\w+$/);

/** Why a message waits, or where it stands; `waitsFor` is its sentence. */
export const waitCodeSchema = z.enum(listWaitCodes()).openapi('WaitCode');

/** Why a message moved. */
export const causeCodeSchema = z.enum(causeCodes).openapi('CauseCode');

export const words = z.array(z.string()).readonly();
