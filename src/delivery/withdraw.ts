// Tests: test/contracts/cancel.test.ts.

import { type Agent, isUser, signalbox } from '../agents/agent.ts';
import type { Cause } from '../messages/cause.ts';
import type { Debt } from '../messages/debt.ts';
import type { Message } from '../messages/message.ts';
import { quoteBody } from '../messages/quote-body.ts';
import { ownShortId } from '../messages/short-id.ts';
import { createId } from '../shared/ids.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { releaseFromClaim } from './acknowledge.ts';
import { bury } from './bury.ts';
import { mayHaveBeenRead } from './may-have-been-read.ts';
import { nameTo } from './name-to.ts';
import { endDebt } from './settle-debt.ts';

/** Enough of a task to recognise it. */
const excerptBytes = 300;

export type Withdrawn =
  /** It is dead now; nobody reads it any more, unless an earlier try landed after all. */
  | { readonly outcome: 'withdrawn'; readonly mayHaveBeenRead: boolean }
  /** Its recipient has it, or may have; the answer is owed no longer, and it is told so. */
  | { readonly outcome: 'released'; readonly toldBy: string }
  /** It had been taken back before. */
  | { readonly outcome: 'already' }
  /** It is beyond that. */
  | { readonly outcome: 'too-late'; readonly message: Message };

/**
 * Takes back what is still queued (rule 34). Nothing bounces. Only who gave a task is told when
 * somebody else took it back: no answer will come.
 */
export async function withdrawQueued(
  tx: LedgerTransaction,
  at: number,
  id: string,
  by: Agent,
): Promise<Withdrawn> {
  const message = await find(tx, id);
  if (message.state === 'dead' && message.reason === 'withdrawn') return { outcome: 'already' };
  if (message.state !== 'queued') return { outcome: 'too-late', message };
  const isMaybe = await mayHaveBeenRead(tx, message);
  await takeDown(tx, at, message, by);
  const debt = isMaybe ? await tx.debts.find(id) : undefined;
  if (debt) await tellWorker(tx, at, message, by);
  return { outcome: 'withdrawn', mayHaveBeenRead: isMaybe };
}

/**
 * The same, and of a task that its worker has, or may have, the answer is owed no longer: whoever
 * waits for it waits no longer, and the worker is sent one message that says so. In one
 * transaction: a claim that ends at this moment gives the message back before it, and it dies
 * here, or after it, and it dies there (`return-to-queue.ts`).
 */
export async function withdrawOrRelease(
  tx: LedgerTransaction,
  at: number,
  id: string,
  by: Agent,
): Promise<Withdrawn> {
  const queued = await withdrawQueued(tx, at, id, by);
  if (queued.outcome !== 'too-late') return queued;
  const { message } = queued;
  const debt = message.kind === 'task' ? await tx.debts.find(id) : undefined;
  if (debt?.end === 'withdrawn') return { outcome: 'already' };
  if (!debt || debt.endedAt !== undefined) return queued;
  await endDebt(tx, at, debt, 'withdrawn', await tellCreditor(tx, at, { debt, message, by }));
  return { outcome: 'released', toldBy: await tellWorker(tx, at, message, by) };
}

/**
 * From `queued`, or out of the CLI's own queue, which has given it back. Needs nobody's attention.
 * The one guard of all that: what has moved since it was read is left as it is, and nobody is told.
 */
export async function takeDown(
  tx: LedgerTransaction,
  at: number,
  message: Message,
  by: Agent,
): Promise<void> {
  const { id, state: from, kind, token } = message;
  const now = await find(tx, id);
  if (now.state !== from || now.token !== token) return;
  const why: Cause = {
    code: 'cancelled',
    cause: `taken back by ${await describe(tx, message, by)}`,
  };
  if (kind === 'task' && by.id !== message.from) {
    await bury(tx, at, message, 'withdrawn', why);
  } else {
    const set = { reason: 'withdrawn' } as const;
    await tx.messages.move([id], { from, to: 'dead', at, ...why, set });
    await releaseFromClaim(tx, at, message, 'dead');
  }
  const debt = kind === 'task' ? await tx.debts.find(id) : undefined;
  if (debt) await endDebt(tx, at, debt, 'withdrawn', undefined);
  await tx.messages.setDiscarded(id, at);
}

async function tellWorker(
  tx: LedgerTransaction,
  at: number,
  message: Message,
  by: Agent,
): Promise<string> {
  const whose = await describe(tx, message, by);
  const [told] = await insert(tx, at, {
    to: message.to,
    replyTo: message.id,
    body: [
      `The task ${ownShortId(message)} was taken back by ${whose}. Nobody waits for its answer: leave it as it is, and do not go on with it.`,
      quoteBody(message.body, excerptBytes),
    ].join('\n'),
    cause: `${message.id} was taken back`,
  });
  return told?.id ?? '';
}

/** Undefined: the creditor has done it. */
async function tellCreditor(
  tx: LedgerTransaction,
  at: number,
  { debt, message, by }: { readonly debt: Debt; readonly message: Message; readonly by: Agent },
): Promise<Message | undefined> {
  if (debt.creditor === by.id || !(await tx.agents.isLiving(debt.creditor))) return undefined;
  const worker = await nameTo(tx, debt.creditor, debt.debtor);
  const [told] = await insert(tx, at, {
    to: debt.creditor,
    replyTo: message.id,
    body: [
      `Your task ${message.id} for ${worker} was taken back by ${await describe(tx, message, by)}. ${worker} is told so, and does not answer it.`,
      quoteBody(message.body, excerptBytes),
    ].join('\n'),
    cause: `${message.id} was taken back`,
  });
  return told;
}

function insert(
  tx: LedgerTransaction,
  at: number,
  notice: { readonly to: string; readonly replyTo: string; readonly body: string; cause: string },
): Promise<readonly Message[]> {
  const { replyTo, ...rest } = notice;
  const row = { ...rest, replyTo: [replyTo], id: createId('msg', at), createdAt: at } as const;
  return tx.messages.insert([{ ...row, kind: 'notice', from: signalbox.id, state: 'queued' }]);
}

async function describe(tx: LedgerTransaction, { from }: Message, by: Agent): Promise<string> {
  if (isUser(by)) return 'the user';
  return by.id === from ? 'its sender' : await nameTo(tx, by.id, by.id);
}

async function find(tx: LedgerTransaction, id: string): Promise<Message> {
  const message = await tx.messages.find(id);
  if (!message) throw new Error('it was found before');
  return message;
}
