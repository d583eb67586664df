import type { Document } from './schemas/document.ts';
import type { interruptSchema } from './schemas/interrupt.ts';

export type InterruptView = Document<typeof interruptSchema>;
