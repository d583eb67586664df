import type { EpochStore } from '../agents/epoch-store.ts';
import type { InterruptionStore } from '../agents/interruption-store.ts';
import type { ClaimStore } from '../messages/claim-store.ts';
import type { Message } from '../messages/message.ts';
import type { HistoryRow } from '../messages/message-store.ts';
import type { PartStore } from '../messages/part-store.ts';
import { cutParts } from '../messages/parts.ts';
import type { Explanation } from './messages.ts';
import { viewDebt } from './view-debt.ts';
import { viewInterruption } from './view-interruption.ts';
import { type Rows, toIso, viewMessage } from './views.ts';

/** All that the ledger knows of one message: a transaction of it is such a set of ports. */
export async function viewStory(
  tx: Rows & {
    readonly claims: ClaimStore;
    readonly epochs: EpochStore;
    readonly interruptions: InterruptionStore;
    readonly parts: PartStore;
  },
  message: Message,
): Promise<Explanation> {
  const history = await tx.messages.history(message.id);
  const parts = await tx.parts.list(message.id);
  const attempts: Explanation['attempts'][number][] = [];
  const numbers = new Map<number, number>();
  for (const attempt of await tx.claims.listAttempts(message.id)) {
    const { at, route, epoch, outcome, isPointer, handedOutAt, folded } = attempt;
    const claim = await tx.claims.find(attempt.token);
    const life = await tx.epochs.find(message.to, epoch);
    const handed = parts.filter((part) => part.epoch === epoch && part.state === 'handed').length;
    const number = (attempts.at(-1)?.number ?? 0) + folded + 1;
    numbers.set(attempt.token, number);
    attempts.push({
      number,
      at: toIso(at),
      route,
      epoch,
      outcome,
      ...(life === undefined ? {} : { provider: life.provider }),
      ...(claim?.receipt === undefined ? {} : { receipt: claim.receipt }),
      ...(isPointer ? { pointer: true } : {}),
      ...(folded === 0 ? {} : { folded }),
      ...(handedOutAt === undefined ? {} : { handedOutAt: toIso(handedOutAt) }),
      ...(handed === 0 ? {} : { parts: { handed, of: cutParts(message.body).length } }),
      // Rule 8: where no proof can be had, this is the end.
      ...(claim?.provable === false && outcome === 'injected' ? { unconfirmed: true } : {}),
    });
  }
  const ended = (await tx.interruptions.listOf(message.to, message.id)).filter(
    ({ outcome }) => outcome !== 'refused',
  );
  const debt = await viewDebt(tx, message);
  return {
    message: await viewMessage(tx, message),
    history: history.map((row) => viewMove(row, numbers)),
    attempts,
    ...(ended.length === 0 ? {} : { interruptions: ended.map(viewInterruption) }),
    ...(debt === undefined ? {} : { debt }),
  };
}

/** A token counts all claims of the ledger, and says nothing outside: the attempt has a number. */
function viewMove(
  { at, token, ...row }: HistoryRow,
  numbers: ReadonlyMap<number, number>,
): Explanation['history'][number] {
  const number = token === undefined ? undefined : numbers.get(token);
  return { ...row, at: toIso(at), ...(number === undefined ? {} : { attempt: number }) };
}
