// Tests: test/contracts/message-names.test.ts.

import { type Agent, isUser } from '../agents/agent.ts';
import { callName } from '../agents/reference.ts';
import type { Message } from '../messages/message.ts';
import { parseShortId, type ShortId, shortIdIn } from '../messages/short-id.ts';
import { Fault } from '../shared/fault.ts';
import { quote } from '../shared/quote.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { resolveAgent } from './resolve-agent.ts';

/**
 * The message that a reference means: a full id, or a short one as `caller` would write it. Never
 * by a guess: messages of that number in other inboxes are only suggested.
 */
export async function resolveMessage(
  tx: LedgerTransaction,
  reference: string,
  caller: Agent,
): Promise<Message> {
  const short = parseShortId(reference);
  const message = short ? await findShort(tx, short, caller) : await tx.messages.find(reference);
  if (message) return message;
  throw short ? await notInInbox(tx, reference, short, caller) : notFound(reference);
}

/**
 * The full id of what a sender replies to. A full one is returned as it is: `accept` judges it, and
 * says what a sender has to know.
 */
export async function resolveReply(
  tx: LedgerTransaction,
  reference: string,
  sender: Agent,
): Promise<string> {
  return parseShortId(reference) ? (await resolveMessage(tx, reference, sender)).id : reference;
}

async function findShort(
  tx: LedgerTransaction,
  { number, inbox, session }: ShortId,
  caller: Agent,
): Promise<Message | undefined> {
  if (inbox === undefined || inbox === 'self') {
    return (await tx.messages.listByNumber(number, { id: caller.id }))[0];
  }
  const isId = inbox.startsWith('agt_');
  // A removed agent is named as it was: its messages are there until retention deletes them.
  const [found] = await tx.messages.listByNumber(number, isId ? { id: inbox } : { name: inbox });
  if (!found || session === undefined) return found;
  return (await tx.agents.find(found.to))?.session === session ? found : undefined;
}

async function notInInbox(
  tx: LedgerTransaction,
  reference: string,
  { number, inbox }: ShortId,
  caller: Agent,
): Promise<Fault> {
  // An unknown name says so itself, with the one that was meant.
  if (inbox !== undefined && inbox !== 'self' && !(await isNameOfOne(tx, inbox))) {
    await resolveAgent(tx, inbox, { agent: caller });
  }
  const others = await listCandidates(tx, number, caller);
  const where = inbox === undefined ? ` in the inbox of ${callName(caller)}` : '';
  return new Fault(
    'message-not-found',
    `No message ${quote(reference)}${where}.`,
    others.length === 0
      ? `See \`signalbox inbox list\`; settled messages are forgotten after the retention.`
      : `There is ${others.join(', ')}: write it so if you mean it.`,
  );
}

/** Of agents of one name none is meant here: the number alone tells which inbox it is in. */
async function isNameOfOne(tx: LedgerTransaction, name: string): Promise<boolean> {
  return (await tx.agents.listByName(name)).length > 0;
}

const candidates = 5;

/** What the caller sent or received, the newest first; the user sees all. */
async function listCandidates(
  tx: LedgerTransaction,
  number: number,
  caller: Agent,
): Promise<readonly string[]> {
  const all = await tx.messages.listByNumber(number);
  const own = all.filter(
    ({ from, to }) => isUser(caller) || from === caller.id || to === caller.id,
  );
  const names = await tx.agents.listNames(own.map(({ to }) => to));
  return own
    .slice(0, candidates)
    .map((message) => shortIdIn(names.get(message.to)?.name ?? message.to, message));
}

function notFound(reference: string): Fault {
  return new Fault(
    'message-not-found',
    `No message ${quote(reference)}.`,
    'Write its number (412, or lead:412 in the inbox of lead) or its id (msg_…). Settled messages are forgotten after the retention (`signalbox config get retention`).',
  );
}
