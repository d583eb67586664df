// Tests: test/contracts/attempt-text.test.ts.

import type { Claim } from '../messages/claim.ts';
import type { Message } from '../messages/message.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import type { Ways } from './recipient.ts';
import { write } from './write-attempt.ts';

/**
 * The text of an attempt, made anew from the ledger after a restart: byte for byte the one that was
 * put in (rule 12). Undefined when its messages have moved on, to a pull say: the token is checked
 * immediately before the act (rule 2).
 */
export async function rewriteAttempt(
  tx: LedgerTransaction,
  claim: Claim,
  ways: Pick<Ways, 'syntax'>,
): Promise<string | undefined> {
  const messages = await listMessagesOf(tx, claim);
  return messages.every(({ state }) => state === 'uncertain')
    ? writeAgain(tx, claim, messages, ways)
    : undefined;
}

/**
 * The text that an attempt has put in, for as long as its messages have not moved on: a later offer
 * of one of them is marked as a repeat.
 */
export async function findText(
  tx: LedgerTransaction,
  claim: Claim,
  ways: Pick<Ways, 'syntax'>,
): Promise<string | undefined> {
  return writeAgain(tx, claim, await listMessagesOf(tx, claim), ways);
}

async function writeAgain(
  tx: LedgerTransaction,
  claim: Claim,
  messages: readonly Message[],
  ways: Pick<Ways, 'syntax'>,
): Promise<string | undefined> {
  const isOurs = messages.every(({ token }) => token === claim.token);
  return isOurs ? (await write(tx, claim, messages, ways)).text : undefined;
}

/** What an attempt carries or carried, wherever its messages are now. */
export async function listMessagesOf(
  tx: LedgerTransaction,
  { token }: Pick<Claim, 'token'>,
): Promise<readonly Message[]> {
  const messages: Message[] = [];
  for (const { messageId } of await tx.claims.listAttemptsOf(token)) {
    const message = await tx.messages.find(messageId);
    if (message) messages.push(message);
  }
  return messages;
}
