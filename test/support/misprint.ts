import { isDeepStrictEqual } from 'node:util';
import type { z } from '@hono/zod-openapi';
import { faultSchema } from '../../src/protocol/schemas/fault.ts';
import { printedDocuments } from './printed-documents.ts';

/**
 * Why a command may not print this document; undefined when it may. Reading by a schema leaves out
 * the fields that the schema does not know, so the copy must equal the original.
 */
export function findMisprint(words: readonly string[], document: unknown): string | undefined {
  const documents = findDocuments(words);
  const schemas = [...documents.map(({ schema }) => schema), faultSchema];
  const reasons = schemas.map((schema) => compare(schema, document));
  if (reasons.includes(undefined)) return undefined;
  const what = `${words.join(' ')} printed ${JSON.stringify(document).slice(0, 2000)}`;
  return `${what}\n${documents.length === 0 ? 'no such command' : reasons.join('\n')}`;
}

/** `inbox drain worker` is a drain; options and arguments say nothing. */
function findDocuments(words: readonly string[]) {
  const plain = words.filter((word) => !word.startsWith('-'));
  const two = printedDocuments[plain.slice(0, 2).join(' ')];
  return two ?? printedDocuments[plain[0] ?? ''] ?? [];
}

function compare(schema: z.ZodType, document: unknown): string | undefined {
  const read = schema.safeParse(document);
  if (!read.success) return read.error.message;
  if (isDeepStrictEqual(read.data, document)) return undefined;
  return `fields without a schema: only ${JSON.stringify(read.data).slice(0, 2000)} is known`;
}
