import type { z } from '@hono/zod-openapi';

/**
 * The type of a document, made from its schema. The files beside this folder import schemas as
 * types only: the command line and the hooks' client take these types from there and never load
 * zod, which takes 46 ms.
 */
export type Document<Schema extends z.ZodType> = Fixed<z.infer<Schema>>;

/** All of it readonly; an optional field is absent or has a value, and is never undefined. */
type Fixed<T> = T extends readonly (infer Item)[]
  ? readonly Fixed<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Fixed<Exclude<T[Key], undefined>> }
    : T;
