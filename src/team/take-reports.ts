import { isUser } from '../agents/agent.ts';
import { abandonClaim } from '../delivery/abandon-claim.ts';
import { beginAct, loseSight, recordInjected } from '../delivery/claim.ts';
import { noteArrived } from '../delivery/hand-out.ts';
import type { Letter } from '../delivery/letter.ts';
import type { Cause } from '../messages/cause.ts';
import type { Claim } from '../messages/claim.ts';
import type { Waiter } from '../messages/debt.ts';
import type { Message } from '../messages/message.ts';
import { sizeAtOnce } from '../messages/parts.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import type { TeamParts } from './parts.ts';

/** What of one message leaves at once. */
export type Piece = Pick<Letter, 'id' | 'covers' | 'of'>;

export interface TakenReports {
  readonly messages: readonly Message[];
  /** `line`: the call of an MCP client whose answer they are part of (rule 17). */
  finish(pieces: readonly Piece[], line?: string): Promise<void>;
  lose(cause: string): Promise<void>;
}

interface Reserved {
  readonly message: Message;
  readonly claim: Claim;
}

/**
 * What the worker sent while this waiter waited, in order: as much as goes into `bytes`. The
 * others, and all of it when nobody is there any more, are carried as the messages they are:
 * nothing of them has left.
 */
export async function takeReports(
  { ledger, surroundings }: TeamParts,
  { task, waiter, bytes }: { task: string; waiter: Waiter; bytes: number },
): Promise<TakenReports> {
  const { clock } = surroundings;
  const isAny = (await ledger.read((tx) => listReserved(tx, task, waiter))).length > 0;
  if (!isAny) return none;
  const taken = await ledger.write(async (tx) => {
    const now = clock.now();
    const fit: Reserved[] = [];
    let room = bytes;
    for (const reserved of await listReserved(tx, task, waiter)) {
      room -= sizeAtOnce(reserved.message.body);
      const { token } = reserved.claim;
      if (room < 0) await abandonClaim(tx, now, token, noRoom);
      else if ((await beginAct(tx, surroundings, token)) === 'go') {
        const cause = `handed over before the answer to ${task}`;
        const [message] = await recordInjected(tx, now, token, cause);
        if (message) fit.push({ ...reserved, message });
      }
    }
    return fit;
  });
  return {
    messages: taken.map(({ message }) => message),
    finish: async (pieces, line) => {
      for (const { message, claim } of taken) {
        const isInTerminal = !(await ledger.read((tx) => isPuller(tx, message.to)));
        const cause = `taken before the answer to ${task}`;
        const by = line === undefined ? {} : { line };
        const to = { epoch: claim.epoch, isInTerminal, cause, ...by };
        const letter = { ...message, ...pieceOf(pieces, message) };
        await noteArrived(ledger, surroundings, [letter], to);
      }
    },
    lose: async (cause) => {
      await ledger.write(async (tx) => {
        const why = { code: 'not-printed', cause } as const;
        for (const { claim } of taken) await loseSight(tx, clock.now(), claim, why);
      });
    },
  };
}

/** In one piece, unless it was cut. */
export function pieceOf(pieces: readonly Piece[], { id }: Message): Pick<Letter, 'covers' | 'of'> {
  const { covers, of } = pieces.find((piece) => piece.id === id) ?? { covers: [], of: 1 };
  return { covers, of };
}

/**
 * Whoever pulls has what was written to its end; for an agent its next call or output answers
 * (rule 17).
 */
export async function isPuller(tx: LedgerTransaction, agent: string): Promise<boolean> {
  const found = await tx.agents.find(agent);
  return !found || isUser(found) || found.backend === 'none';
}

export const waiterGone: Cause = {
  code: 'wait-over',
  cause: 'whoever waited for the answer is gone',
};
const noRoom: Cause = { code: 'wait-over', cause: 'there is no room for it in the answer' };

/** They are carried as the messages they are. */
export async function releaseReports(
  tx: LedgerTransaction,
  now: number,
  task: string,
  waiter: Waiter,
): Promise<void> {
  for (const { claim } of await listReserved(tx, task, waiter)) {
    await abandonClaim(tx, now, claim.token, waiterGone);
  }
}

/** What waits already when somebody begins to wait: it comes with the answer. */
export async function listWaitingReports(
  tx: LedgerTransaction,
  ids: readonly string[],
): Promise<readonly Message[]> {
  const waiting: Message[] = [];
  for (const id of ids) {
    const message = await tx.messages.find(id);
    if (message?.state === 'queued' && !message.urgent) waiting.push(message);
  }
  return waiting;
}

/** Whether the worker has asked this waiter something: it will not go on before it is answered. */
export async function isAskedOf(
  tx: LedgerTransaction,
  task: string,
  waiter: Waiter,
): Promise<boolean> {
  const { askedBy } = (await tx.debts.find(task)) ?? {};
  if (askedBy === undefined) return false;
  return (await listReserved(tx, task, waiter)).some(({ message }) => message.id === askedBy);
}

async function listReserved(
  tx: LedgerTransaction,
  task: string,
  { holder, sinceMs }: Waiter,
): Promise<readonly Reserved[]> {
  const found: Reserved[] = [];
  for (const id of (await tx.debts.find(task))?.reports ?? []) {
    const message = await tx.messages.find(id);
    if (message?.state !== 'claimed' || message.token === undefined) continue;
    const claim = await tx.claims.find(message.token);
    const isOurs = claim?.route === 'pull' && claim.takenAtMs === sinceMs;
    if (claim && isOurs && claim.holder.pid === holder.pid) found.push({ message, claim });
  }
  return found;
}

const none: TakenReports = {
  messages: [],
  finish: async () => undefined,
  lose: async () => undefined,
};
