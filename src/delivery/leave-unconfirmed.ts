import type { Agent } from '../agents/agent.ts';
import type { Claim } from '../messages/claim.ts';
import { limits } from '../messages/message.ts';
import { truncate } from '../messages/truncate.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { loseSight } from './claim.ts';

/**
 * The records of its conversation are in a form that nobody here knows (rule 50): `injected` is the
 * end, in this life and after it (rule 8). It goes through `uncertain`, in one transaction, so that
 * its history says why.
 */
export async function leaveUnconfirmed(
  tx: LedgerTransaction,
  at: number,
  claim: Claim,
  why: string,
): Promise<void> {
  const evidence = truncate(why, limits.reason).text;
  const lost = { code: 'not-provable', cause: 'no proof of it can be had' } as const;
  await loseSight(tx, at, claim, lost);
  await tx.claims.note(claim.token, { provable: false });
  const ids = (await tx.claims.listCarried(claim, 'uncertain')).map(({ id }) => id);
  const move = {
    from: 'uncertain',
    to: 'injected',
    at,
    code: 'unconfirmed',
    cause: 'sent, unconfirmed',
    evidence,
  } as const;
  await tx.messages.move(ids, move);
  await tx.claims.setOutcome(ids, claim.token, 'injected');
}

/** Why messages into this life have stayed unconfirmed; undefined when none has. */
export async function findUnconfirmed(
  tx: LedgerTransaction,
  { id, epoch }: Pick<Agent, 'id' | 'epoch'>,
): Promise<string | undefined> {
  const injected = await tx.messages.list({ to: id, states: ['injected'], limit: 1000 });
  for (const message of injected.toReversed()) {
    const claim = message.token === undefined ? undefined : await tx.claims.find(message.token);
    if (!claim || claim.epoch !== epoch || claim.provable) continue;
    const last = (await tx.messages.history(message.id)).at(-1);
    if (last?.code === 'unconfirmed') return last.evidence;
  }
  return undefined;
}
