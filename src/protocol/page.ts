import type { Document } from './schemas/document.ts';
import type {
  dashboardSchema,
  feedItemSchema,
  pageMessageSchema,
  pageSnapshotSchema,
  provenSchema,
  proveSchema,
  signedInSchema,
  signInSchema,
  terminalWishSchema,
  terminalWordSchema,
} from './schemas/page.ts';

/** A message in a list: its first words, never its body. */
export type PageMessage = Document<typeof pageMessageSchema>;

export type PageSnapshot = Document<typeof pageSnapshotSchema>;

/** One `data:` line of `GET /api/feed`. */
export type FeedItem = Document<typeof feedItemSchema>;

export type SignInRequest = Document<typeof signInSchema>;

export type SignedIn = Document<typeof signedInSchema>;

export type ProveRequest = Document<typeof proveSchema>;

export type Proven = Document<typeof provenSchema>;

/** What `signalbox dashboard` gives. */
export type DashboardView = Document<typeof dashboardSchema>;

/**
 * On the WebSocket of a terminal: what the page says, and what it hears. The daemon does not serve
 * it yet.
 *
 * @public
 */
export type TerminalWish = Document<typeof terminalWishSchema>;

/** @public */
export type TerminalWord = Document<typeof terminalWordSchema>;

/** The first words of what the server proves by (`POST /page/prove`). */
export const proofPrefix = 'signalbox-page:';
