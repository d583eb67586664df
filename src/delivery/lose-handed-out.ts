import type { Cause } from '../messages/cause.ts';
import type { Message } from '../messages/message.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import type { EvidenceMemory } from './evidence-memory.ts';
import { evidenceMs } from './judge-attempt.ts';
import type { DeliveryParts } from './parts.ts';
import type { Recipient } from './recipient.ts';

/**
 * The agent took messages itself, and its turn ended without an answer for them: the model's API
 * failed, or a person interrupted it and went on in another conversation. After a minute at rest
 * they are uncertain, and come again, marked (rule 42d). Where the person's conversation is still
 * shown they stay in it, and the next turn there answers for them (42c). So they do where only the
 * screen tells of a turn's end: whether an answer followed cannot be known, and each would come
 * again for ever.
 */
export async function loseHandedOut(
  { ledger, surroundings }: DeliveryParts,
  { agent, epoch, view, ways }: Pick<Recipient, 'agent' | 'epoch' | 'view' | 'ways'>,
  memory: EvidenceMemory,
): Promise<number> {
  const { atRestSince, status } = view();
  if (atRestSince === undefined || (ways.showsTurnEnds && status !== 'error')) return 0;
  const { clock } = surroundings;
  const now = clock.monotonicMs();
  const due = await ledger.read(async (tx) => {
    const taken = await listTaken(tx, agent, epoch);
    const sinceOf = ({ token = 0 }: Message): number => memory.handedOutSince.get(token) ?? now;
    memory.handedOutSince = new Map(taken.map((one) => [one.token ?? 0, sinceOf(one)]));
    if (await isWithPerson(tx, agent, epoch, memory)) return [];
    return taken.filter((one) => now - Math.max(sinceOf(one), atRestSince) >= evidenceMs);
  });
  if (due.length === 0) return 0;
  return ledger.write(async (tx) => {
    const why = {
      code: 'no-answer',
      cause: 'no answer of the agent followed while it rested',
    } as const;
    return lose(tx, clock.now(), due, why);
  });
}

/**
 * The agent has another conversation: an answer there says nothing about what it took itself in the
 * one before (rules 17, 42b). A body that was only named is to be fetched again.
 */
export async function leaveHandedOut(
  tx: LedgerTransaction,
  at: number,
  agent: string,
): Promise<void> {
  const why = {
    code: 'conversation-left',
    cause: 'the agent took it in a conversation that was left before an answer followed',
  } as const;
  for (const { messageId: id, token, route, handedOutAt } of await tx.claims.listByHand(agent)) {
    if (handedOutAt === undefined) continue;
    if (route === 'pull') await lose(tx, at, [{ id, token }], why);
    else await tx.claims.setHandedOut(id, token, undefined);
  }
}

async function lose(
  tx: LedgerTransaction,
  at: number,
  taken: readonly Pick<Message, 'id' | 'token'>[],
  why: Cause,
): Promise<number> {
  let lost = 0;
  for (const { id, token } of taken) {
    if (token === undefined) continue;
    const move = { from: 'injected', to: 'uncertain', at, ...why, token } as const;
    if ((await tx.messages.move([id], move)).length === 0) continue;
    await tx.claims.setOutcome([id], token, 'uncertain');
    lost++;
  }
  return lost;
}

/** How a turn ended, for what was handed out in it. */
export async function noteInterruption(
  { ledger }: DeliveryParts,
  { agent, epoch }: Pick<Recipient, 'agent' | 'epoch'>,
  memory: EvidenceMemory,
  isInterrupted: boolean,
): Promise<void> {
  memory.interruptedIn = undefined;
  if (!isInterrupted) return;
  const life = await ledger.read((tx) => tx.epochs.find(agent, epoch));
  memory.interruptedIn = { conversation: life?.conversation };
}

async function isWithPerson(
  tx: LedgerTransaction,
  agent: string,
  epoch: number,
  { interruptedIn }: EvidenceMemory,
): Promise<boolean> {
  if (!interruptedIn) return false;
  const { conversation } = (await tx.epochs.find(agent, epoch)) ?? {};
  return conversation !== undefined && conversation === interruptedIn.conversation;
}

/** By a command that has printed them to their end (rule 17). */
async function listTaken(
  tx: LedgerTransaction,
  agent: string,
  epoch: number,
): Promise<readonly Message[]> {
  const taken: Message[] = [];
  for (const attempt of await tx.claims.listByHand(agent)) {
    if (attempt.route !== 'pull' || attempt.handedOutAt === undefined) continue;
    const message = attempt.epoch === epoch && (await tx.messages.find(attempt.messageId));
    if (message && message.state === 'injected' && message.token === attempt.token)
      taken.push(message);
  }
  return taken;
}
