// Tests: test/contracts/claims.test.ts, test/contracts/settling.test.ts.

import { wasLeft } from '../agents/epoch.ts';
import { createLateProofNotice } from '../messages/bounce.ts';
import type { Attempt } from '../messages/claim.ts';
import { limits, type Message } from '../messages/message.ts';
import { canMove } from '../messages/transitions.ts';
import { truncate } from '../messages/truncate.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { releaseFromClaim } from './acknowledge.ts';
import { returnToQueue } from './return-to-queue.ts';
import { tellSender } from './tell-sender.ts';

/**
 * Evidence from the agent's side: the model has produced output for an input that holds this
 * attempt's mark (rule 6). It counts for every mark of ours that is not proven not landed, however
 * late (rules 7, 36). Returns the ids that became `seen`.
 */
export async function prove(
  tx: LedgerTransaction,
  at: number,
  proof: { mark: string; evidence: string },
): Promise<readonly string[]> {
  const claim = await tx.claims.findByMark(proof.mark);
  if (!claim) return [];
  const { epoch = claim.epoch } = (await tx.agents.find(claim.recipient)) ?? {};
  const life = await tx.epochs.find(claim.recipient, claim.epoch);
  const isLiving = claim.epoch === epoch && life?.endedAt === undefined;
  const seen: string[] = [];
  for (const attempt of await tx.claims.listAttemptsOf(claim.token)) {
    const message = await tx.messages.find(attempt.messageId);
    if (!message || attempt.outcome === 'not-landed' || !canMove(message.state, 'seen')) continue;
    // Its name was read. Of its body that says nothing, handed out or not (rule 13): output after
    // that is what counts.
    if (attempt.isPointer) {
      if (isLiving) await keepPointer(tx, at, message, claim.token);
      else await dropPointer(tx, at, message, attempt);
      continue;
    }
    await tx.messages.move([message.id], {
      from: message.state,
      to: 'seen',
      at,
      about: claim.token,
      code: 'read',
      cause: `read by the model (attempt ${await numberOf(tx, attempt)})`,
      evidence: truncate(proof.evidence, limits.reason).text,
      set: { inContext: isLiving && !wasLeft(life, claim.at), reason: null },
    });
    if (message.token !== claim.token && message.state === 'claimed') {
      await releaseFromClaim(tx, at, message, await howFar(tx, message));
    }
    await tx.claims.setOutcome([message.id], claim.token, 'seen');
    await tx.claims.endIfEmpty(claim.token, at);
    if (message.state === 'dead' || message.state === 'expired') {
      const write = (m: Message, name: string) =>
        createLateProofNotice(m, name, 'read by the model');
      await tellSender(tx, at, message, write);
    }
    seen.push(message.id);
  }
  return seen;
}

/**
 * Of one message's attempts, from 1, as `explain` lists them. A token counts all claims of the
 * ledger and says nothing to a person.
 */
async function numberOf(tx: LedgerTransaction, { messageId, token }: Attempt): Promise<number> {
  const attempts = await tx.claims.listAttempts(messageId);
  const before = attempts.filter((one) => one.token <= token);
  return before.reduce((sum, { folded }) => sum + folded + 1, 0);
}

/**
 * A later claim that holds it: its act is abandoned only if it has not begun; a begun one may
 * already be in the terminal.
 */
async function howFar(tx: LedgerTransaction, message: Message): Promise<'abandoned' | 'uncertain'> {
  const held = message.token === undefined ? undefined : await tx.claims.find(message.token);
  return held?.step === undefined ? 'abandoned' : 'uncertain';
}

/** It stays `injected` until its body was handed out and output followed. */
async function keepPointer(
  tx: LedgerTransaction,
  at: number,
  message: Message,
  token: number,
): Promise<void> {
  if (message.token !== token) return;
  if (message.state === 'uncertain') {
    const why = {
      code: 'named',
      cause: 'its line was read; its body has not been handed out',
    } as const;
    const set = { inContext: true };
    await tx.messages.move([message.id], { from: 'uncertain', to: 'injected', at, ...why, set });
    await tx.claims.setOutcome([message.id], token, 'injected');
  } else if (message.state === 'injected' && message.inContext !== true) {
    await tx.messages.setInContext(message.id, true);
  }
}

/** Whoever read its name lives no more, and the next life may not know it: it is offered again. */
async function dropPointer(
  tx: LedgerTransaction,
  at: number,
  message: Message,
  { token, handedOutAt }: Attempt,
): Promise<void> {
  if (message.token !== token) return;
  if (message.state !== 'uncertain' && message.state !== 'injected') return;
  const mayRepeat = message.mayRepeat || handedOutAt !== undefined;
  const why = {
    code: 'named-in-ended-life',
    cause: 'its line was read in a life that has ended',
  } as const;
  await returnToQueue(tx, at, message, why, { set: { mayRepeat } });
  const outcome = handedOutAt === undefined ? 'not-landed' : 'uncertain';
  await tx.claims.setOutcome([message.id], token, outcome);
}
