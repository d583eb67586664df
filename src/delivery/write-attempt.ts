// Tests: test/contracts/attempt-text.test.ts, src/delivery/batches.test.ts.

import { isUser, signalbox } from '../agents/agent.ts';
import { nameFor } from '../agents/reference.ts';
import type { Claim } from '../messages/claim.ts';
import {
  type Correspondent,
  type Envelope,
  listNamed,
  type NameOf,
  writeEnvelope,
} from '../messages/envelope.ts';
import type { Syntax } from '../messages/escape-syntax.ts';
import type { Message } from '../messages/message.ts';
import { writePrompt } from '../messages/prompt.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { nameMessages } from './name-messages.ts';
import type { Ways } from './recipient.ts';

/**
 * The text of one attempt: the one function that makes it, before the act and after a restart
 * (`rewrite-attempt.ts`). The same messages give the same text, in whatever order they are given.
 */
export async function write(
  tx: LedgerTransaction,
  claim: Claim,
  messages: readonly Message[],
  { syntax }: Pick<Ways, 'syntax'>,
): Promise<Envelope> {
  const { recipient, mark, others, at, route, isFurther } = claim;
  // A task for which an agent launched another goes as a prompt, too, and names its giver.
  const isPrompt = messages.every((one) => one.carriedAs === 'prompt' && isUsers(one));
  const nameOf = await nameAll(tx, recipient, messages);
  if (isPrompt) {
    return writePrompt(mark, messages, { at, nameOf, isOld: await findOld(tx, claim) });
  }
  const senderOf = await findSenders(tx, recipient, messages, syntax?.[route]);
  return writeEnvelope(mark, messages, senderOf, others, nameOf, isFurther);
}

/** The messages that these are about, as their recipient names them. */
export function nameAll(
  tx: LedgerTransaction,
  recipient: string,
  messages: readonly Message[],
): Promise<NameOf> {
  return nameMessages(tx, recipient, messages.flatMap(listNamed));
}

export function isUsers({ from }: Message): boolean {
  return isUser({ id: from });
}

/**
 * A text that goes in at once is younger. An end of a turn for which nobody waits is on no record,
 * and others are written down a moment after the rest that they begin: a text that waited for one
 * tells its age all the same.
 */
const longAgoMs = 10_000;

/**
 * Whether a message has waited for long, or whether, between it and its attempt, a turn of the
 * agent has ended, its conversation was left for another, or another life of it has begun.
 */
async function findOld(
  tx: LedgerTransaction,
  { recipient, epoch, at }: Claim,
): Promise<(message: Message) => boolean> {
  const life = await tx.epochs.find(recipient, epoch);
  // The first message of an agent is older than its first life.
  const begunAt = epoch > 1 ? life?.startedAt : undefined;
  const endedAt = (await tx.turns.findLastStop(recipient))?.at;
  const changes = [endedAt, life?.conversationSince, begunAt];
  const before = changes.filter((time) => time !== undefined && time < at);
  return ({ createdAt }) =>
    at - createdAt >= longAgoMs || before.some((time) => time !== undefined && time > createdAt);
}

/** Who sent them, as their recipient knows them; `syntax` where its CLI acts on their words. */
export async function findSenders(
  tx: LedgerTransaction,
  agent: string,
  messages: readonly Message[],
  syntax?: Syntax,
): Promise<(from: string) => Correspondent> {
  const self = await tx.agents.find(agent);
  const senders = new Map<string, Correspondent>();
  for (const { from } of messages) {
    if (senders.has(from)) continue;
    if (from === signalbox.id) {
      senders.set(from, { name: signalbox.name, role: 'signalbox' });
      continue;
    }
    const sender = await tx.agents.find(from);
    // By which the recipient can answer, whoever else has that name.
    const name = sender ? nameFor(self, sender) : from;
    if (isUser({ id: from })) senders.set(from, { name, role: 'user' });
    else if (from === agent) senders.set(from, { name, role: 'yourself' });
    else if (self?.parent === from) senders.set(from, { name, role: 'parent' });
    else if (sender?.parent === agent) senders.set(from, { name, role: 'child' });
    else senders.set(from, { name, role: 'peer' });
  }
  return (from) => ({
    ...(senders.get(from) ?? { name: from, role: 'peer' }),
    ...(syntax === undefined ? {} : { syntax }),
  });
}
