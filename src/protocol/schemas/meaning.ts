import { z } from '@hono/zod-openapi';

/**
 * What a field means, in one line, for docs/json.md and the OpenAPI document. Most fields say it
 * with `.describe`. A field whose schema has a name of its own in the OpenAPI document says it with
 * `named`: there, `describe` would turn its `$ref` into an `allOf`, and the words of the first such
 * field would become those of the schema itself (zod-to-openapi 9.1).
 */
const meanings = z.registry<{ readonly meaning: string }>();

/** A field of this schema, which keeps its name. */
export function named<Schema extends z.ZodType>(schema: Schema, meaning: string): Schema {
  const copy = schema.clone();
  meanings.add(copy, { meaning });
  return copy;
}

/** Undefined where nobody has said it. */
export function findMeaning(schema: z.ZodType): string | undefined {
  return meanings.get(schema)?.meaning ?? schema.description;
}
