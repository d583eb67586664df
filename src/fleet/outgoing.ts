import type { Agent } from '../agents/agent.ts';
import type { Caller } from '../agents/caller.ts';
import { callName, parseReference } from '../agents/reference.ts';
import type { Accepted } from '../delivery/accept.ts';
import { limits, type Message, type MessageDraft, type MessageState } from '../messages/message.ts';
import { shortIdIn } from '../messages/short-id.ts';
import { type Standing, standingOf } from '../messages/standing.ts';
import { Fault } from '../shared/fault.ts';
import { quote } from '../shared/quote.ts';
import { formatSize, formatSpan } from '../shared/units.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { howToStop } from './limits.ts';
import { requireUser } from './permissions.ts';
import { resolveAgent, type Standpoint } from './resolve-agent.ts';
import { resolveReply } from './resolve-message.ts';

/** What a sender asks for, whichever way it asks. Agents are named as people name them. */
export interface Outgoing {
  readonly to: string;
  readonly body: string;
  /** For the user alone. */
  readonly from?: string;
  readonly key?: string;
  readonly urgent?: boolean;
  /** It arrives as a notice, although the user sends it (rule 51). */
  readonly notice?: boolean;
  readonly ttlMs?: number;
  readonly replyTo?: string;
}

export interface Addressed {
  readonly to: Agent;
  readonly draft: MessageDraft;
}

/** What can be told without the ledger. */
export function checkOutgoing(outgoing: Outgoing, bodyLimit: number): void {
  checkBody(outgoing.body, bodyLimit);
  if (outgoing.key !== undefined) checkKey(outgoing.key);
  if (outgoing.ttlMs !== undefined) checkTtl(outgoing.ttlMs);
}

/** From whom, to whom, and the draft to be accepted. */
export async function address(
  tx: LedgerTransaction,
  now: number,
  outgoing: Outgoing,
  caller: Pick<Caller, 'kind' | 'agent' | 'folder' | 'place'>,
): Promise<Addressed> {
  const { kind, agent, place } = caller;
  const { body, urgent = false, notice = false, ttlMs, replyTo, key } = outgoing;
  if (outgoing.from !== undefined) requireUser(agent, 'send as somebody else');
  const from = outgoing.from === undefined ? agent : await resolveAgent(tx, outgoing.from, caller);
  const to = await resolveRecipient(tx, outgoing, from, caller);
  const draft: MessageDraft = {
    kind: 'message',
    from: from.id,
    to: to.id,
    body,
    urgent,
    ...(outgoing.from === undefined && kind === 'script' ? { isScript: true } : {}),
    // In another's name it is not the user's own word.
    ...(outgoing.from === undefined && kind === 'user' && !notice ? { isPrompt: true } : {}),
    ...(ttlMs === undefined ? {} : { expiresAt: now + ttlMs }),
    ...(replyTo === undefined ? {} : { replyTo: [await resolveReply(tx, replyTo, from)] }),
    ...(key === undefined ? {} : { key: storedKey(key) }),
    ...(place === undefined ? {} : { evidence: `user, ${place}` }),
  };
  return { to, draft };
}

/** What the sender is told, or why it was refused. */
export function readAccepted(
  accepted: Accepted,
  { key }: Pick<Outgoing, 'key'>,
  recipient: Agent,
): Sent {
  const { id: toId, name, session, namesakes } = recipient;
  const called = callName(recipient);
  switch (accepted.outcome) {
    case 'accepted':
    case 'duplicate': {
      const { id, state } = accepted.message;
      const duplicate = accepted.outcome === 'duplicate';
      const short = shortIdIn(name, accepted.message);
      const standing = standingOf(accepted.message);
      const to = { id: toId, name, session, ...(namesakes ? { namesakes } : {}) };
      const callsBack = accepted.outcome === 'accepted' && accepted.callsBack === true;
      const back = callsBack ? { broughtBack: true as const } : {};
      return { id, short, to, state, standing, duplicate, ...back };
    }
    case 'key-conflict':
      throw new Fault(
        'key-conflict',
        `The key ${quote(key ?? '')} belongs to ${accepted.existing.id}, which has another recipient or body.`,
        'Use a new key for a new message, or repeat the old one unchanged.',
      );
    case 'recipient-gone':
      throw new Fault(
        'agent-not-found',
        `The agent "${called}" has just been removed; nothing was sent.`,
        'See `signalbox ls` for those that live.',
      );
    case 'recipient-exited':
      throw new Fault(
        'agent-exited',
        `"${called}" has exited (${accepted.detail ?? 'it has no process'}), so it cannot take a task; nothing was sent.`,
        `Run \`signalbox restart ${called}\` first, or give the task to another agent or profile.`,
      );
    case 'no-room':
      throw new Fault(
        'not-allowed',
        `"${called}" ended with its task and cannot come back: ${accepted.children.length} of your children run, and no more are allowed; nothing was sent.`,
        `Give the task to one that runs, or stop one first (${howToStop(accepted.children.map((child) => callName(child)))}); the user can raise \`breadth-limit\`.`,
      );
    case 'recipient-waits':
      throw new Fault(
        'not-allowed',
        `"${called}" waits for your own answer, so it cannot work for you.`,
        'Ask it by send_message with question: true, or answer first.',
      );
    case 'sender-gone':
      throw new Fault(
        'agent-not-found',
        'The sender has been removed; nothing was sent.',
        'Unset SIGNALBOX_AGENT, or set it to an agent that lives.',
      );
    case 'reply-unknown':
      throw new Fault(
        'message-not-found',
        `There is no message ${quote(accepted.id)} to reply to; nothing was sent.`,
        'See `signalbox inbox list`, or leave --reply-to out.',
      );
    case 'reply-not-yours':
      throw new Fault(
        'not-allowed',
        `${accepted.id} is neither from nor to the sender; nothing was sent.`,
        'Reply to a message of your own, or leave --reply-to out.',
      );
  }
}

export interface Sent {
  readonly id: string;
  /** As its sender names it: `lead:412`. */
  readonly short: string;
  readonly to: Pick<Agent, 'id' | 'name' | 'session' | 'namesakes'>;
  readonly state: MessageState;
  /** As what it is to arrive (rule 51e). */
  readonly standing: Standing;
  readonly duplicate: boolean;
  /** Its recipient had ended by itself, and is started again for it. */
  readonly broughtBack?: true;
}

/**
 * A sender that was killed before it was answered asks again: it must hear what became of the
 * first, even when the recipient has been removed since (rule 33). Without that it would be told
 * that nothing was sent, and then get a bounce.
 */
async function resolveRecipient(
  tx: LedgerTransaction,
  { to, key }: Outgoing,
  sender: Agent,
  caller: Standpoint,
): Promise<Agent> {
  try {
    return await resolveAgent(tx, to, caller);
  } catch (error) {
    if (key === undefined) throw error;
    const first = await findSent(tx, sender, key);
    const recipient = first && (await tx.agents.find(first.to));
    const { name, session = recipient?.session } = parseReference(to);
    const isNamed = recipient?.name === name && recipient.session === session;
    if (recipient && (recipient.id === to || isNamed)) return recipient;
    throw error;
  }
}

/** What was sent with this key before. */
export function findSent(
  tx: LedgerTransaction,
  sender: Agent,
  key: string,
): Promise<Message | undefined> {
  return tx.messages.findByKey(sender.id, storedKey(key));
}

/** Apart from the keys that completions make for themselves. */
export function storedKey(key: string): string {
  return `key:${key}`;
}

/** The one check of every body: a message, a task, an answer, and the first message of a launch. */
export function checkBody(body: string, limit: number): void {
  // Blanks alone would begin a turn in which the model reads nothing but our own line.
  if (body.trim() === '') {
    throw new Fault('invalid-input', 'The message is empty.', 'Give a text, or --file.');
  }
  // JSON can spell half a character; stored, it would be another body than the one that was sent.
  if (/\p{Surrogate}/u.test(body)) {
    throw new Fault('invalid-input', 'The message is not valid Unicode.', 'Send whole characters.');
  }
  const bytes = Buffer.byteLength(body);
  if (bytes <= limit) return;
  throw new Fault(
    'body-too-large',
    `The message has ${formatSize(bytes)}; the limit is ${formatSize(limit)}. Nothing was sent.`,
    'Send the path of a file instead, or raise the limit with `signalbox config set body-limit`.',
  );
}

function checkTtl(ms: number): void {
  if (ms <= limits.ttlMs) return;
  throw new Fault(
    'invalid-input',
    `A time to live may be at most ${formatSpan(limits.ttlMs)}; nothing was sent.`,
    'Leave --ttl out: without it nothing expires.',
  );
}

function checkKey(key: string): void {
  const isBounded = key.length > 0 && Buffer.byteLength(key) <= limits.key;
  if (isBounded && !/\p{Cc}|\p{Surrogate}/u.test(key)) return;
  throw new Fault(
    'invalid-input',
    `The key ${quote(key, 40)} cannot be used.`,
    `Use 1 to ${limits.key} bytes without control characters.`,
  );
}
