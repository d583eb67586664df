import { signalbox } from '../agents/agent.ts';
import { createId } from '../shared/ids.ts';
import { ownSpan } from '../shared/own-span.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import type { DeliveryParts } from './parts.ts';
import type { OpenAttempt } from './read-open.ts';
import type { Recipient } from './recipient.ts';

/** A terminal that has been quiet for so long is left by its person. */
const quietMs = ownSpan(10_000);
/** A CLI that was started anew goes on by itself with what it held, if it does (Codex 0.166.0): then it works by now. */
export const resumedMs = 3000;
/** Reminders of one attempt: with the back-off of a failing API, some hours. */
const mostReminders = 12;

/**
 * A message stands in the conversation, unread, and nobody will ask the model for more by himself: its process died and was
 * resumed, or the model's API failed. A second copy would be one too many, since the first is there; so a notice in the agent's
 * inbox tells it to go on. It is a message like any other: it wakes the agent, keeps the budgets and the back-off of a failing
 * API, and its proof is proof for the first one too. After an interruption it is the person's to go on (rule 9), and whatever
 * waits in the inbox anyway does as well. Returns when time alone makes another look worth while.
 */
export async function remind(
  parts: DeliveryParts,
  recipient: Recipient,
  unread: readonly OpenAttempt[],
): Promise<readonly number[]> {
  const { status, atRestSince, humanKeyAt = Number.NEGATIVE_INFINITY } = recipient.view();
  const stuck = unread.filter(({ isLive }) => !isLive || status === 'error');
  if (stuck.length === 0 || atRestSince === undefined) return [];
  const { clock } = parts.surroundings;
  const isFailed = stuck.some(({ isLive }) => isLive);
  const restMs = isFailed ? quietMs : resumedMs;
  const dueAt = Math.max(atRestSince + restMs, humanKeyAt + quietMs);
  const waitMs = dueAt - clock.monotonicMs();
  if (waitMs > 0) return [waitMs];
  await parts.ledger.write((tx) => insertReminder(tx, clock.now(), recipient.agent, stuck));
  return [];
}

async function insertReminder(
  tx: LedgerTransaction,
  now: number,
  agent: string,
  stuck: readonly OpenAttempt[],
): Promise<void> {
  const bound = { count: 1, bytes: 0, now, withUncertain: false };
  if ((await tx.messages.listWaiting(agent, bound)).length > 0) return;
  for (const { claim, messages } of stuck) {
    // A notice that stays unread itself is no news.
    const letters = messages.filter(({ kind }) => kind !== 'notice');
    const [first] = letters;
    const key = first && (await findKey(tx, claim.token));
    if (!first || key === undefined) continue;
    const ids = letters.map(({ id }) => id);
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

async function findKey(tx: LedgerTransaction, token: number): Promise<string | undefined> {
  for (let n = 1; n <= mostReminders; n++) {
    const key = `reminder:${token}:${n}`;
    if (!(await tx.messages.findByKey(signalbox.id, key))) return key;
  }
  return undefined;
}
