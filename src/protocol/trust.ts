import type { Document } from './schemas/document.ts';
import type { trustChangesSchema, trustSchema } from './schemas/trust.ts';

/** One file of a working folder: whether the user trusts it as it is, and what it would change. */
export type TrustView = Document<typeof trustSchema>;

/** What a file would make of a launch. */
export type TrustChanges = Document<typeof trustChangesSchema>;
