import type { Document } from './schemas/document.ts';
import type {
  ackResultSchema,
  cancelSchema,
  drainSchema,
  explanationSchema,
  inboxListSchema,
  lookedSchema,
  messageSchema,
  partSchema,
  sendResultSchema,
  waitedSchema,
} from './schemas/messages.ts';

export type MessageView = Document<typeof messageSchema>;

/** A message, or one part of its body. */
export type PartView = Document<typeof partSchema>;

export type SendResult = Document<typeof sendResultSchema>;

/** A hint was taken. */
export type Looked = Document<typeof lookedSchema>;

/** One poll for a state. */
export type Waited = Document<typeof waitedSchema>;

export type AckResult = Document<typeof ackResultSchema>;

export type CancelView = Document<typeof cancelSchema>;

export type InboxList = Document<typeof inboxListSchema>;

export type DrainResult = Document<typeof drainSchema>;

export type Explanation = Document<typeof explanationSchema>;
