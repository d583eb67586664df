import { signalbox } from '../agents/agent.ts';
import type { Attempt } from '../messages/claim.ts';
import type { Message } from '../messages/message.ts';
import { cutParts } from '../messages/parts.ts';
import { isSettled } from '../messages/transitions.ts';
import { createId } from '../shared/ids.ts';
import { ownSpan } from '../shared/own-span.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import type { EvidenceMemory } from './evidence-memory.ts';
import { listBegun } from './list-begun.ts';
import { nameTo } from './name-to.ts';
import type { DeliveryParts } from './parts.ts';
import type { Recipient } from './recipient.ts';

/**
 * An agent that has rested for so long, with nobody at its keys, does not fetch it in this turn any
 * more.
 */
const quietMs = ownSpan(10_000);

/**
 * The agent read the name of a long message, or some of its parts, and rests without the others
 * (rule 13). It is named once more, by a notice, which wakes it; when it rests again and has
 * fetched nothing since, the sender is told. The message stays where it is: it can be read at any
 * time, and counts then. Each part that is fetched begins this anew. After a person's interruption
 * it is theirs to go on (rule 42c). Returns when time alone makes another look worth while.
 */
export async function remindUnread(
  { ledger, surroundings }: DeliveryParts,
  recipient: Pick<Recipient, 'agent' | 'epoch' | 'view'>,
  memory: EvidenceMemory,
): Promise<number | undefined> {
  const { status, atRestSince, humanKeyAt = Number.NEGATIVE_INFINITY } = recipient.view();
  if (atRestSince === undefined) return undefined;
  // A failing API is left alone: nothing wakes it. Its sender can be told all the same.
  const mayWake = status === 'idle' || status === 'completed';
  if (!mayWake && status !== 'error') return undefined;
  const nowMs = surroundings.clock.monotonicMs();
  const waitOf = ({ sinceMs }: Unread): number =>
    Math.max(atRestSince, humanKeyAt, sinceMs) + quietMs - nowMs;
  const list = async (tx: LedgerTransaction): Promise<readonly Unread[]> =>
    (await listUnread(tx, recipient, nowMs)).filter(({ isNamedAgain }) => mayWake || isNamedAgain);
  const found = await ledger.read(async (tx) =>
    (await isTheirs(tx, recipient, memory)) ? [] : list(tx),
  );
  if (found.length === 0) return undefined;
  const waitMs = Math.min(...found.map(waitOf));
  if (waitMs > 0) return waitMs;
  await ledger.write(async (tx) => {
    const now = surroundings.clock.now();
    for (const unread of await list(tx)) {
      if (waitOf(unread) > 0) continue;
      if (unread.isNamedAgain) await tellSender(tx, now, unread);
      else await nameAgain(tx, now, unread);
    }
  });
  return undefined;
}

/**
 * A person interrupted it, and that conversation is still shown, as far as is known. In another one
 * nobody else will name it.
 */
async function isTheirs(
  tx: LedgerTransaction,
  { agent, epoch }: Pick<Recipient, 'agent' | 'epoch'>,
  { interruptedIn }: EvidenceMemory,
): Promise<boolean> {
  if (!interruptedIn) return false;
  const { conversation } = (await tx.epochs.find(agent, epoch)) ?? {};
  return conversation === undefined || conversation === interruptedIn.conversation;
}

interface Unread {
  readonly message: Message;
  readonly token: number;
  /** How many of its parts were handed out. */
  readonly handed: number;
  readonly of: number;
  /** The part to go on with. */
  readonly next: number;
  readonly isNamedAgain: boolean;
  /** Since when, on our clock, a rest counts for it. */
  readonly sinceMs: number;
}

/** Those about which something is still to be said, in order. */
async function listUnread(
  tx: LedgerTransaction,
  { agent, epoch }: Pick<Recipient, 'agent' | 'epoch'>,
  nowMs: number,
): Promise<readonly Unread[]> {
  const found: Unread[] = [];
  for (const attempt of await listBegun(tx, agent, epoch)) {
    const { token, messageId } = attempt;
    if (await tx.messages.findByKey(signalbox.id, toldKey(attempt))) continue;
    const sinceMs = await findNamed(tx, attempt, nowMs);
    const message = sinceMs === undefined ? undefined : await tx.messages.find(messageId);
    if (!message || sinceMs === undefined) continue;
    const parts = await tx.parts.list(messageId);
    const has = new Set(
      parts.flatMap((row) => (row.epoch === epoch && row.state === 'handed' ? [row.part] : [])),
    );
    const all = cutParts(message.body).map((_, i) => i + 1);
    const next = all.find((part) => !has.has(part)) ?? 1;
    const facts = { message, token, handed: has.size, of: all.length, next };
    const reminder = await tx.messages.findByKey(signalbox.id, reminderKey(facts));
    const readMs = reminder ? await findRead(tx, reminder, nowMs) : sinceMs;
    if (readMs === undefined || (reminder && !(await canBeTold(tx, message)))) continue;
    found.push({ ...facts, isNamedAgain: reminder !== undefined, sinceMs: readMs });
  }
  return found;
}

/** Since when it can have read its name, or its first part; undefined: not yet. */
async function findNamed(
  tx: LedgerTransaction,
  { token, messageId, isPointer }: Attempt,
  nowMs: number,
): Promise<number | undefined> {
  const claim = await tx.claims.find(token);
  if (!claim) return undefined;
  const isProvable = isPointer && claim.provable;
  if (isProvable && (await tx.messages.find(messageId))?.inContext !== true) return undefined;
  return sinceTaken(claim, nowMs);
}

async function findRead(
  tx: LedgerTransaction,
  reminder: Message,
  nowMs: number,
): Promise<number | undefined> {
  if (isSettled(reminder.state)) return Number.NEGATIVE_INFINITY;
  if (reminder.state !== 'injected') return undefined;
  const claim = reminder.token === undefined ? undefined : await tx.claims.find(reminder.token);
  // Where proof is to be had, it is awaited; where there is none, that is as far as it gets
  // (rule 8).
  return claim && !claim.provable ? sinceTaken(claim, nowMs) : undefined;
}

/** Of an earlier boot: another clock. */
function sinceTaken({ takenAtMs }: { readonly takenAtMs: number }, nowMs: number): number {
  return takenAtMs <= nowMs ? takenAtMs : Number.NEGATIVE_INFINITY;
}

async function nameAgain(tx: LedgerTransaction, now: number, unread: Unread): Promise<void> {
  const { message, handed, of, next } = unread;
  const { id, to, from, body } = message;
  const name = await nameTo(tx, to, from);
  const size = `${Math.ceil(Buffer.byteLength(body) / 1024)} KB`;
  const how = of === 1 ? '' : ` --part ${next}`;
  const far = handed === 0 ? 'Not read yet' : `Only ${handed} of its ${of} parts were read`;
  await tx.messages.insert([
    {
      id: createId('msg', now),
      ...{ kind: 'notice', from: signalbox.id, to, state: 'queued', createdAt: now },
      key: reminderKey(unread),
      body: `${far}: ${id}, ${size}, from ${name}. Read it with check_inbox, or in a shell: signalbox inbox show ${id}${how}`,
      cause: 'a long message was named and not read; it is named once more',
    },
  ]);
}

async function tellSender(
  tx: LedgerTransaction,
  now: number,
  { message, token, handed, of }: Unread,
): Promise<void> {
  const { id, kind, from, to } = message;
  const name = await nameTo(tx, from, to);
  const far =
    handed === 0 ? 'its text was not fetched' : `only ${handed} of its ${of} parts were fetched`;
  await tx.messages.insert([
    {
      id: createId('msg', now),
      ...{ kind: 'notice', from: signalbox.id, to: from, state: 'queued', createdAt: now },
      key: toldKey({ messageId: id, token }),
      replyTo: [id],
      body: `Your ${kind} ${id} to ${name} was not read: it is too long for one text and was named twice in its conversation, and ${far}. It can still be read; ask ${name}, or send less at once.`,
      cause: `${id} was named twice and not read`,
    },
  ]);
}

/** News about news is not news, and a removed sender has no inbox. */
async function canBeTold(tx: LedgerTransaction, { kind, from }: Message): Promise<boolean> {
  return kind !== 'notice' && kind !== 'bounce' && (await tx.agents.isLiving(from));
}

function reminderKey({ message, token, handed }: Pick<Unread, 'message' | 'token' | 'handed'>) {
  return `unread:${message.id}:${token}:${handed}`;
}

function toldKey({ messageId, token }: Pick<Attempt, 'messageId' | 'token'>): string {
  return `unread:${messageId}:${token}:told`;
}
