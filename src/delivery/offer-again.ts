// Tests: src/delivery/lose-handed-out.test.ts.

import type { Message } from '../messages/message.ts';
import type { AttemptTrace } from '../providers/way-in.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { askEvidence } from './follow-evidence.ts';
import type { DeliveryParts } from './parts.ts';
import { prove } from './prove.ts';
import { traceOf } from './read-open.ts';
import type { Recipient } from './recipient.ts';
import { returnToQueue } from './return-to-queue.ts';

/**
 * The agent took messages itself, with a command that died before it had answered for them: nobody
 * knows whether it read them, and no record can tell. It may never ask again, so they are queued
 * again, marked (rule 10); a pull may be repeated without limit, and spends no re-offer. Only while
 * it rests: then no command of it runs. What it had read before it took it is not among them. Says
 * how many went back.
 */
export async function offerPulledAgain(
  parts: DeliveryParts,
  recipient: Pick<Recipient, 'agent' | 'epoch' | 'ways' | 'view' | 'evidence'>,
): Promise<number> {
  const { ledger, surroundings } = parts;
  const { agent, ways, view } = recipient;
  const hasOtherWay = ways.routes.some((route) => route !== 'pull');
  if (!hasOtherWay || view().atRestSince === undefined) return 0;
  const taken = await ledger.read((tx) => listPulled(tx, agent));
  if (taken.length === 0) return 0;
  const read = await findRead(parts, recipient, taken);
  return ledger.write(async (tx) => {
    const at = surroundings.clock.now();
    for (const proof of read) await prove(tx, at, proof);
    const pulled = await listPulled(tx, agent);
    const why = {
      code: 'command-died',
      cause: 'the agent may not have read what it took; it may be a repeat',
    } as const;
    for (const message of pulled) {
      await returnToQueue(tx, at, message, why, { set: { mayRepeat: true } });
    }
    return pulled.length;
  });
}

/**
 * Before the agent took it, it may have come by another route, of which nobody could tell any more
 * how far it got; its mark still proves it (rules 7, 10).
 */
async function findRead(
  parts: DeliveryParts,
  recipient: Pick<Recipient, 'agent' | 'epoch' | 'evidence'>,
  taken: readonly Message[],
): Promise<readonly { readonly mark: string; readonly evidence: string }[]> {
  const traces = await parts.ledger.read(async (tx) => {
    const tokens = new Set<number>();
    for (const { id } of taken) {
      for (const { token, route, outcome, isPointer } of await tx.claims.listAttempts(id)) {
        if (route !== 'pull' && outcome === 'uncertain' && !isPointer) tokens.add(token);
      }
    }
    const found: AttemptTrace[] = [];
    for (const token of tokens) {
      const claim = await tx.claims.find(token);
      if (claim?.provable) found.push(await traceOf(tx, recipient, claim));
    }
    return found;
  });
  if (traces.length === 0) return [];
  const findings = await askEvidence(parts, recipient.evidence, traces);
  return traces.flatMap(({ mark }, i) => {
    const { found, evidence = '' } = findings[i] ?? {};
    return found === 'seen' ? [{ mark, evidence }] : [];
  });
}

async function listPulled(tx: LedgerTransaction, agent: string): Promise<readonly Message[]> {
  const uncertain = await tx.messages.list({ to: agent, states: ['uncertain'], limit: 100 });
  const pulled: Message[] = [];
  for (const message of uncertain) {
    const claim = message.token === undefined ? undefined : await tx.claims.find(message.token);
    if (claim?.route === 'pull') pulled.push(message);
  }
  return pulled;
}
