import type { Agent } from '../agents/agent.ts';
import { deadLetterQuery } from '../delivery/dead-letters.ts';
import { type HandOut, handOut } from '../delivery/hand-out.ts';
import type { LineTest } from '../delivery/untaken.ts';
import { isRunning } from '../fleet/is-running.ts';
import type { DrainResult } from '../protocol/messages.ts';
import { viewMessages } from '../protocol/views.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { surroundingsOf } from './caller.ts';
import type { ServerParts } from './parts.ts';

export interface Inbox {
  readonly agent: Agent;
  readonly caller: Agent;
}

export interface Taking {
  readonly max: number | undefined;
  readonly inParts?: boolean;
  readonly only?: { readonly message: string; readonly part?: number };
  readonly isKept?: LineTest;
}

/** What is handed out counts as that only once it has left, by `finish` (rule 16). */
export async function takeInbox(
  parts: ServerParts,
  { agent, caller }: Inbox,
  taking: Taking,
): Promise<HandOut> {
  const isOwn = caller.id === agent.id;
  return handOut(parts.ledger, surroundingsOf(parts), {
    recipient: agent.id,
    epoch: agent.epoch,
    by: isOwn ? agent.name : `${caller.name} for ${agent.name}`,
    isOwn,
    isInTerminal: isOwn && (await parts.ledger.read((tx) => isRunning(tx, agent))),
    ...taking,
  });
}

export function viewTaken(
  { ledger }: ServerParts,
  { agent }: Inbox,
  { messages, remaining }: HandOut,
): Promise<DrainResult> {
  return ledger.read(async (tx) => ({
    messages: await viewMessages(tx, messages),
    remaining,
    deadLetters: await countDeadLetters(tx, agent),
  }));
}

export function countDeadLetters(tx: LedgerTransaction, { id }: Agent): Promise<number> {
  return tx.messages.count({ ...deadLetterQuery, to: id, limit: 0 });
}
