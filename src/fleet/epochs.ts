import type { Claim } from '../messages/claim.ts';
import type { LedgerTransaction } from '../store/ledger.ts';

/**
 * The process of an agent ended: what is claimed or injected in that life and unproven is uncertain
 * at once, except where no proof can exist for the route and `injected` was the end (rules 4, 8);
 * what was seen is out of context (rule 9). Returns how many became uncertain.
 */
export async function endEpoch(tx: LedgerTransaction, at: number, agent: string): Promise<number> {
  let lost = 0;
  for (const from of ['claimed', 'injected'] as const) {
    for (const message of await tx.messages.list({ to: agent, states: [from], limit: 100_000 })) {
      if (message.token === undefined) continue;
      const claim = await tx.claims.find(message.token);
      if (!claim || (from === 'injected' && (await isEnd(tx, message.id, claim)))) continue;
      const why = { code: 'life-ended', cause: 'the program that it was for ended' } as const;
      const move = { from, to: 'uncertain', at, ...why } as const;
      await tx.messages.move([message.id], move);
      await tx.claims.setOutcome([message.id], claim.token, 'uncertain');
      await tx.claims.endIfEmpty(claim.token, at);
      lost++;
    }
  }
  await tx.messages.leaveContext(agent);
  return lost;
}

/**
 * Where no proof can exist `injected` is the end (rule 8), unless its body was only named and not
 * fetched (rule 13).
 */
export async function isEnd(tx: LedgerTransaction, id: string, claim: Claim): Promise<boolean> {
  if (claim.provable) return false;
  const attempts = await tx.claims.listAttempts(id);
  return !attempts.some(({ token, isPointer }) => token === claim.token && isPointer);
}

/** The next life begins. */
export async function beginEpoch(tx: LedgerTransaction, agent: string): Promise<number> {
  const epoch = ((await tx.agents.find(agent))?.epoch ?? 0) + 1;
  await tx.agents.setEpoch(agent, epoch);
  return epoch;
}
