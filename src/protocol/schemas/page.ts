import { z } from '@hono/zod-openapi';
import { agentSchema } from './agents.ts';
import { umaskSchema } from './bounds.ts';
import { named } from './meaning.ts';
import { messageSchema } from './messages.ts';
import { attentionSchema } from './printed.ts';
import { agentId, count, messageId, time, waitCodeSchema } from './values.ts';

/** What the page in the browser is told, and what it says (decision 29). */

const cursor = count.describe('The number of the newest row of history that it knows.');

const debtStates = ['open', 'answered', 'exited', 'removed', 'dead', 'withdrawn'] as const;

/** A message in a list: its first words, never its body. */
export const pageMessageSchema = z
  .object({
    id: messageId.describe('`msg_…`'),
    short: z.string().describe('Its short id: `lead:412`; its id where it has none.'),
    kind: messageSchema.shape.kind,
    from: messageSchema.shape.from,
    to: messageSchema.shape.to,
    state: messageSchema.shape.state,
    urgent: messageSchema.shape.urgent,
    standing: messageSchema.shape.standing,
    createdAt: messageSchema.shape.createdAt,
    changedAt: time.describe('When it came into its state.'),
    first: z
      .string()
      .describe('The first 120 characters of its text, in one line, with hidden ones shown.'),
    task: z.enum(debtStates).optional().describe('Of a task: whether its answer is owed.'),
    waitsForCode: named(waitCodeSchema, 'Of one that waits: why, as a code.').optional(),
    waitsFor: z.string().optional().describe('The same in words.'),
    reason: messageSchema.shape.reason,
    discarded: z.literal(true).optional().describe('Of a dead one: a person has discarded it.'),
    cursor: count.describe('The number of its newest row of history.'),
  })
  .openapi('PageMessage');

export const pageSnapshotSchema = z
  .object({
    cursor,
    at: time.describe('When it was made.'),
    daemon: z
      .object({
        version: z.string().describe('The version of signalbox.'),
        startedAt: time.describe('When the daemon started.'),
      })
      .describe('The daemon.'),
    readOnly: z.boolean().describe('This session may change nothing.'),
    user: agentId.describe('The id of the user, whose inbox is the person’s.'),
    agents: z.array(agentSchema).readonly().describe('The agents.'),
    messages: z
      .array(pageMessageSchema)
      .readonly()
      .describe('All that are open, and those that moved in the last hour; the newest 2,000.'),
    omitted: count.describe('Messages beyond those.'),
    attention: attentionSchema.describe('What needs a person, as `signalbox attention` has it.'),
  })
  .openapi('PageSnapshot');

/** One line of the feed. */
export const feedItemSchema = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('message'),
      cursor,
      message: named(pageMessageSchema, 'The message, as it is now.'),
    }),
    z.object({
      kind: z.literal('agent'),
      cursor,
      agent: named(agentSchema, 'The agent, as it is now.'),
    }),
    z.object({ kind: z.literal('agent-gone'), cursor, id: agentId.describe('It was removed.') }),
    z.object({
      kind: z.literal('attention'),
      cursor,
      attention: attentionSchema.describe('What needs a person now.'),
    }),
    z.object({ kind: z.literal('gap') }).describe('Ask for a new snapshot, and follow it anew.'),
  ])
  .openapi('FeedItem');

const nonce = z.string().regex(/^[0-9a-f]{32,128}$/);
const secret = z.string().min(1).max(100);

export const signInSchema = z
  .strictObject({
    link: secret.describe('What stands behind `#link=` in the address.'),
    nonce: nonce.describe('Fresh random bytes of the page, in hex.'),
  })
  .openapi('SignIn');

const proof = z
  .string()
  .describe('HMAC-SHA256 of `signalbox-page:` and the nonce, by the key, in hex.');

export const signedInSchema = z
  .object({
    session: z.string().describe('The name of the session; no secret.'),
    key: z.string().describe('Its secret.'),
    proof,
    readOnly: z.boolean().describe('It may change nothing.'),
    since: time.describe('When it began.'),
  })
  .openapi('SignedIn');

export const proveSchema = z
  .strictObject({
    session: secret.describe('The name of the session.'),
    nonce: nonce.describe('Fresh random bytes of the page, in hex.'),
  })
  .openapi('Prove');

export const provenSchema = z.object({ proof }).openapi('Proven');

/** Strict: a misspelt field must not open more than was asked for. */
export const dashboardRequestSchema = z
  .strictObject({
    readOnly: z.boolean().describe('Its session may look and change nothing.'),
    env: z
      .record(z.string(), z.string())
      .readonly()
      .describe('Of whoever asks: for what the page launches; kept in memory alone.'),
    umask: umaskSchema,
  })
  .openapi('DashboardRequest');

export const dashboardSchema = z
  .object({
    url: z.string().describe('The link: one sign-in, within a minute.'),
    port: count.describe('Where the page is served, on 127.0.0.1.'),
    expiresAt: time.describe('Until when the link can be used.'),
    readOnly: z.boolean().describe('Its session may change nothing.'),
    missing: z
      .literal(true)
      .optional()
      .describe('This build has no page (`dist/dashboard`): the link leads nowhere.'),
  })
  .openapi('Dashboard');

/** On the WebSocket of a terminal, from the page. */
export const terminalWishSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('open'), session: secret, key: secret, agent: agentId }),
  z.strictObject({ type: z.literal('take') }),
  z.strictObject({ type: z.literal('release') }),
  z.strictObject({
    type: z.literal('keys'),
    data: z
      .string()
      .min(1)
      .max(64 * 1024),
  }),
]);

/** On the WebSocket of a terminal, to the page. */
export const terminalWordSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('screen'),
    cols: count,
    rows: count,
    /** What is shown, whole: rows with their styles (SGR alone), separated by CR LF. */
    data: z.string(),
    cursor: z.object({ x: count, y: count }).optional(),
  }),
  z.object({ type: z.literal('taken'), until: time }),
  z.object({ type: z.literal('refused'), code: z.string(), why: z.string() }),
  /** Somebody else took it, its time is over, or it was given back. */
  z.object({ type: z.literal('released'), why: z.string() }),
  /** The last word before the connection is closed. */
  z.object({ type: z.literal('ended'), why: z.string() }),
]);
