import type { z } from '@hono/zod-openapi';
import { Fault } from '../../shared/fault.ts';
import { parseJson } from '../../shared/json.ts';
import { describeIssue } from '../describe-issue.ts';

/** A body by its schema; a fault for whoever asked where it is not that. */
export function parseWith<Schema extends z.ZodType>(schema: Schema, text: string): z.infer<Schema> {
  const parsed = schema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const said = parsed.error.issues.slice(0, 3).map(describeIssue).join('; ');
  throw new Fault(
    'invalid-input',
    `The request is not understood: ${said}.`,
    'Reload the page; it may be of another version of signalbox.',
  );
}
