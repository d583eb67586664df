// Tests: test/contracts/dropped-calls.test.ts.

import type { Attempt } from '../messages/claim.ts';
import type { Message } from '../messages/message.ts';
import { sizeAtOnce } from '../messages/parts.ts';
import type { Ledger, LedgerTransaction } from '../store/ledger.ts';
import type { Surroundings } from './claim.ts';

/**
 * Whether the call of this name is meant: by it an agent's MCP client was handed something
 * (rule 17).
 */
export type LineTest = (line: string) => boolean;

/**
 * What these calls handed out, and no further call on their line has taken, may not have been read:
 * the client cancelled the call, reset its connection, or came back another way. It is uncertain,
 * and a pointer's body is to be handed out once more.
 */
async function loseUntaken(
  tx: LedgerTransaction,
  at: number,
  recipient: string,
  isLost: LineTest,
  cause: string,
): Promise<number> {
  let lost = 0;
  for (const attempt of await tx.claims.listByHand(recipient)) {
    if (await loseOne(tx, at, attempt, isLost, cause)) lost++;
  }
  return lost;
}

/** A message, and the call that handed something of it out. */
export interface Untaken {
  readonly message: Pick<Message, 'id' | 'number'>;
  readonly line: string;
}

/** Messages of which these calls handed something out that nothing has shown as read yet. */
export function listUntaken(
  ledger: Ledger,
  recipient: string,
  isMeant: LineTest,
): Promise<readonly Untaken[]> {
  return ledger.read(async (tx) => {
    const open: Untaken[] = [];
    for (const { messageId, handedOutAt, line } of await tx.claims.listByHand(recipient)) {
      const message = (await tx.messages.find(messageId)) ?? { id: messageId };
      const parts = await tx.parts.list(messageId);
      const handed = parts.filter(({ state }) => state === 'handed').map((part) => part.line);
      const lines = new Set([...handed, ...(handedOutAt === undefined ? [] : [line])]);
      for (const by of lines) {
        if (by !== undefined && isMeant(by)) open.push({ message, line: by });
      }
    }
    return open;
  });
}

/**
 * What these calls handed out is uncertain; not a write where nothing of it is open. Says how many.
 */
export async function loseLines(
  ledger: Ledger,
  { clock }: Surroundings,
  recipient: string,
  isLost: LineTest,
  cause: string,
): Promise<number> {
  if (!(await ledger.read((tx) => hasHandedOut(tx, recipient, isLost)))) return 0;
  return ledger.write((tx) => loseUntaken(tx, clock.now(), recipient, isLost, cause));
}

async function loseOne(
  tx: LedgerTransaction,
  at: number,
  { messageId, token, route, handedOutAt, line }: Attempt,
  isLost: LineTest,
  cause: string,
): Promise<boolean> {
  let isPartLost = false;
  for (const { line: by, ...part } of await tx.parts.list(messageId)) {
    if (part.state !== 'handed' || by === undefined || !isLost(by)) continue;
    await tx.parts.put({ ...part, state: 'uncertain' });
    isPartLost = true;
  }
  if (handedOutAt === undefined || line === undefined || !isLost(line)) return isPartLost;
  if (route !== 'pull') {
    await tx.claims.setHandedOut(messageId, token, undefined);
    return true;
  }
  const why = { code: 'call-dropped', cause } as const;
  const move = { from: 'injected', to: 'uncertain', at, ...why, token } as const;
  if ((await tx.messages.move([messageId], move)).length === 0) return isPartLost;
  await tx.claims.setOutcome([messageId], token, 'uncertain');
  return true;
}

/**
 * The agent asks for its messages over another line than one that was handed some before and has
 * been silent since: they are offered again, marked, as far as there is room beside what waits. So
 * nothing that waits is kept back by repeats, and a client that never shows that it reads comes to
 * an end of its inbox. Of a long message all other parts go first.
 */
export async function offerUntaken(
  ledger: Ledger,
  { clock }: Surroundings,
  recipient: string,
  isKept: LineTest,
  bound: { readonly count: number; readonly bytes: number; readonly inParts: boolean },
): Promise<void> {
  const isStale: LineTest = (line) => !isKept(line);
  const list = async (tx: LedgerTransaction): Promise<readonly Attempt[]> =>
    (await tx.claims.listByHand(recipient)).filter(
      ({ handedOutAt, line }) => handedOutAt !== undefined && line !== undefined && isStale(line),
    );
  if ((await ledger.read(list)).length === 0) return;
  await ledger.write(async (tx) => {
    const at = clock.now();
    const waiting = await tx.messages.listWaiting(recipient, {
      ...bound,
      now: at,
      withUncertain: true,
    });
    const { queued = 0, uncertain = 0 } = await tx.messages.countByState(recipient);
    if (queued + uncertain > waiting.length) return;
    const sizeOf = (body: string): number =>
      bound.inParts ? sizeAtOnce(body) : Buffer.byteLength(body);
    let count = bound.count - waiting.length;
    let bytes = bound.bytes - waiting.reduce((sum, { body }) => sum + sizeOf(body), 0);
    for (const attempt of await list(tx)) {
      const size = sizeOf((await tx.messages.find(attempt.messageId))?.body ?? '');
      const isFirst = count === bound.count;
      if (count < 1 || (size > bytes && !isFirst)) return;
      await loseOne(tx, at, attempt, isStale, 'no further call came from the client that took it');
      count--;
      bytes -= size;
    }
  });
}

async function hasHandedOut(
  tx: LedgerTransaction,
  recipient: string,
  isLost: LineTest,
): Promise<boolean> {
  for (const { messageId, line } of await tx.claims.listByHand(recipient)) {
    if (line !== undefined && isLost(line)) return true;
    const parts = await tx.parts.list(messageId);
    if (parts.some((part) => part.line !== undefined && isLost(part.line))) return true;
  }
  return false;
}
