import type { accountSchema, demoOutcomeSchema, recoverySchema } from './schemas/demo.ts';
import type { Document } from './schemas/document.ts';

/** What `demo` found. */
export type DemoOutcome = Document<typeof demoOutcomeSchema>;

/** Counted from what the programs at both ends received. */
export type Account = Document<typeof accountSchema>;

/** One kill -9 and what became of it. */
export type Recovery = Document<typeof recoverySchema>;
