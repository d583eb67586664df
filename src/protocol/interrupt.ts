import type { Document } from './schemas/document.ts';
import type { interruptSchema } from './schemas/interrupt.ts';
import type { interruptionSchema } from './schemas/interruption.ts';

export type InterruptView = Document<typeof interruptSchema>;
export type InterruptionView = Document<typeof interruptionSchema>;
