// Tests: src/delivery/held.test.ts.

import { signalbox } from '../agents/agent.ts';
import { budgetOf } from '../agents/wake-budget.ts';
import { describeWait } from '../messages/describe-wait.ts';
import type { Message, MessageDraft } from '../messages/message.ts';
import { createId } from '../shared/ids.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { explainHold, type Hold } from './find-hold.ts';
import { nameTo } from './name-to.ts';
import type { DeliveryParts } from './parts.ts';

/**
 * Rule 21: whoever sent what a budget holds back is told, once per hold and without a wake. A hold
 * is one spent hour of one budget of one recipient. The news of it goes along with the sender's
 * other mail; whoever drains an inbox finds it there.
 */
export async function tellHeld(
  { ledger, surroundings }: Pick<DeliveryParts, 'ledger' | 'surroundings'>,
  hold: Hold,
): Promise<void> {
  const first = new Map<string, Message>();
  for (const message of hold.messages) {
    const isNews = message.kind !== 'bounce' && message.kind !== 'notice';
    if (isNews && budgetOf(message) === hold.budget && !first.has(message.from))
      first.set(message.from, message);
  }
  const untold = await ledger.read((tx) => listUntold(tx, [...first.values()], hold));
  if (untold.length === 0) return;
  await ledger.write(async (tx) => {
    const now = surroundings.clock.now();
    for (const message of await listUntold(tx, untold, hold)) {
      const draft = await write(tx, message, hold);
      const id = createId('msg', now);
      const cause = 'a wake budget holds its message back';
      await tx.messages.insert([{ ...draft, id, state: 'queued', createdAt: now, cause }]);
    }
  });
}

async function listUntold(
  tx: LedgerTransaction,
  messages: readonly Message[],
  hold: Hold,
): Promise<readonly Message[]> {
  const untold: Message[] = [];
  for (const message of messages) {
    const isTold = await tx.messages.findByKey(signalbox.id, keyOf(message, hold));
    if (!isTold && (await tx.agents.isLiving(message.from))) untold.push(message);
  }
  return untold;
}

async function write(tx: LedgerTransaction, message: Message, hold: Hold): Promise<MessageDraft> {
  const name = await nameTo(tx, message.from, message.to);
  return {
    kind: 'notice',
    from: signalbox.id,
    to: message.from,
    key: keyOf(message, hold),
    replyTo: [message.id],
    isQuiet: true,
    body: `Your ${message.kind} ${message.id} to ${name} is held back, and what you send it next may be too: ${describeWait(explainHold(hold))}.`,
  };
}

function keyOf({ from, to }: Message, { budget, until }: Hold): string {
  return `held:${budget}:${to}:${until}:${from}`;
}
