import type { Evidence } from '../providers/way-in.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { askEvidence } from './follow-evidence.ts';
import type { DeliveryParts } from './parts.ts';
import { prove } from './prove.ts';
import { type OpenAttempt, readOpen } from './read-open.ts';
import type { Recipient } from './recipient.ts';
import { resolve } from './resolve.ts';

/**
 * The life is over and no other follows (rule 35): its records are asked once about every attempt
 * whose fate is open, before the messages are given up. Proof makes `seen`; proof of the contrary
 * says that this attempt was never read; without either it may have been. Returns how many were
 * read.
 */
export async function askAfterEnd(
  parts: Pick<DeliveryParts, 'ledger' | 'surroundings' | 'log'>,
  recipient: Pick<Recipient, 'agent' | 'epoch'>,
  evidence: Evidence,
): Promise<number> {
  const open = await readOpen(parts, recipient);
  if (open.length === 0) return 0;
  // Of a process that has ended nothing is still to come.
  const traces = open.map(({ trace }) => ({ ...trace, isAlive: false }));
  const findings = await askEvidence(parts, evidence, traces);
  let read = 0;
  for (const [i, attempt] of open.entries()) {
    const { found, evidence: words = '' } = findings[i] ?? {};
    const at = parts.surroundings.clock.now();
    if (found === 'seen') {
      const proof = { mark: attempt.claim.mark, evidence: words };
      read += (await parts.ledger.write((tx) => prove(tx, at, proof))).length;
    } else if (found === 'absent') {
      await parts.ledger.write((tx) => noteNotLanded(tx, at, attempt, words));
    }
  }
  return read;
}

async function noteNotLanded(
  tx: LedgerTransaction,
  at: number,
  { claim, messages }: OpenAttempt,
  words: string,
): Promise<void> {
  for (const { id } of messages) {
    const message = await tx.messages.find(id);
    if (message?.token === claim.token) await resolve(tx, at, message, 'absent', words);
  }
}
