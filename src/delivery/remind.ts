import { signalbox } from '../agents/agent.ts';
import type { Message } from '../messages/message.ts';
import { nameBoth } from '../messages/short-id.ts';
import { isSettled } from '../messages/transitions.ts';
import { createId } from '../shared/ids.ts';
import { ownSpan } from '../shared/own-span.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import type { DeliveryParts } from './parts.ts';
import type { OpenAttempt } from './read-open.ts';
import type { Recipient } from './recipient.ts';

/** A terminal that has been quiet for so long is left by its person. */
const quietMs = ownSpan(10_000);
/**
 * A CLI that was started anew goes on by itself with what it held, if it does (Codex 0.166.0): then
 * it works by now.
 */
export const resumedMs = 3000;
/**
 * A turn that was not heard of by then has been too short for it. OpenCode 1.18.33 on a loaded
 * machine began one after 16 s.
 */
const beginMs = ownSpan(30_000);
/** Reminders of one attempt: with the back-off of a failing API, some hours. */
const mostReminders = 12;

/**
 * A message stands in the conversation, unread, and nobody will ask the model for more by himself:
 * its process died and was resumed, or the model's API failed. A second copy would be one too many,
 * since the first is there; so a notice in the agent's inbox tells it to go on. It is a message
 * like any other: it wakes the agent, keeps the budgets and the back-off of a failing API, and its
 * proof is proof for the first one too. After an interruption it is the person's to go on (rule 9),
 * and whatever waits in the inbox anyway does as well. Returns when time alone makes another look
 * worth while.
 */
export async function remind(
  parts: DeliveryParts,
  recipient: Recipient,
  unread: readonly OpenAttempt[],
): Promise<readonly number[]> {
  const { status, atRestSince, humanKeyAt = Number.NEGATIVE_INFINITY } = recipient.view();
  if (atRestSince === undefined) return [];
  const { clock } = parts.surroundings;
  const now = clock.monotonicMs();
  const failed = unread.filter(({ isLive }) => !isLive || status === 'error');
  const waits = failed.map((item) => untriedMs(item, atRestSince, now));
  const stuck = failed.filter((_, i) => waits[i] === 0);
  if (stuck.length === 0) return waits;
  const isFailed = stuck.some(({ isLive }) => isLive);
  const restMs = isFailed ? quietMs : resumedMs;
  const dueAt = Math.max(atRestSince + restMs, humanKeyAt + quietMs);
  const waitMs = dueAt - now;
  if (waitMs > 0) return [waitMs];
  await parts.ledger.write((tx) => insertReminder(tx, clock.now(), recipient.agent, stuck));
  return waits.filter((ms) => ms > 0);
}

/**
 * What was handed over in this very rest has not failed: the error that is shown is of a turn
 * before it, and its own is to come.
 */
function untriedMs({ isLive, claim }: OpenAttempt, atRestSince: number, now: number): number {
  if (!isLive || claim.takenAtMs <= atRestSince) return 0;
  return Math.max(0, claim.takenAtMs + beginMs - now);
}

async function insertReminder(
  tx: LedgerTransaction,
  now: number,
  agent: string,
  stuck: readonly OpenAttempt[],
): Promise<void> {
  // What wakes nobody does not: it waits for other mail itself.
  if ((await tx.messages.outline(agent, now)).waking) return;
  for (const { claim, messages } of stuck) {
    // A notice that stays unread itself is no news.
    const letters = messages.filter(({ kind }) => kind !== 'notice');
    const [first] = letters;
    const key = first && (await findKey(tx, claim.token, stuck));
    if (!first || key === undefined) continue;
    const ids = letters.map(nameBoth);
    const body = `Not answered yet: ${ids.join(', ')}, further up in this conversation. Please go on with that.`;
    const id = createId('msg', now);
    const cause = 'it stands in the conversation, unread; this asks for it';
    const parties = { from: signalbox.id, to: agent };
    await tx.messages.insert([
      { ...parties, kind: 'notice', body, key, id, state: 'queued', createdAt: now, cause },
    ]);
    return;
  }
}

/** Undefined when there were enough, and while the last one is on its way. */
async function findKey(
  tx: LedgerTransaction,
  token: number,
  stuck: readonly OpenAttempt[],
): Promise<string | undefined> {
  for (let n = 1; n <= mostReminders; n++) {
    const key = `reminder:${token}:${n}`;
    const last = await tx.messages.findByKey(signalbox.id, key);
    if (!last) return key;
    if (await isUnderWay(tx, last, stuck)) return undefined;
  }
  return undefined;
}

/**
 * It may still be read: OpenCode 1.18.33 on a loaded machine began its turn 16 s after it was
 * handed over, and a second reminder would be a turn for nothing. One that itself stands unread has
 * failed like the message that it asks for.
 */
async function isUnderWay(
  tx: LedgerTransaction,
  { id, state, token }: Message,
  stuck: readonly OpenAttempt[],
): Promise<boolean> {
  if (isSettled(state)) return false;
  if (state !== 'injected') return true;
  const claim = token === undefined ? undefined : await tx.claims.find(token);
  const isStuck = stuck.some(({ messages }) => messages.some((message) => message.id === id));
  return claim?.provable === true && !isStuck;
}
