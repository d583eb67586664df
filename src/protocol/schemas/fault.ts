import { z } from '@hono/zod-openapi';
import { exitCodes, type FaultCode } from '../../shared/fault.ts';
import { named } from './meaning.ts';

const codes = Object.keys(exitCodes) as FaultCode[];

/** What a failure is, for programs. Only `demo` says `interrupted`. */
export const faultCodeSchema = z.enum([...codes, 'interrupted']).openapi('FaultCode');

/** What every failure that a caller can act on says. */
export const faultWordsSchema = z.object({
  code: named(faultCodeSchema, 'What it is, for programs; it does not change.'),
  message: z.string().describe('What happened, and to what.'),
  next: z.string().describe('What to do next.'),
});

export const faultSchema = z
  .object({ error: faultWordsSchema.describe('The failure.') })
  .openapi('Fault');
