import { beginAct, loseSight, recordInjected } from '../delivery/claim.ts';
import { noteArrived } from '../delivery/hand-out.ts';
import type { Waiter } from '../messages/debt.ts';
import type { Message } from '../messages/message.ts';
import { reachFailPoint } from '../shared/fail-point.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import type { TeamParts } from './parts.ts';
import { isPuller, type Piece, pieceOf, type TakenReports } from './take-reports.ts';

export interface AwaitedAnswer {
  readonly outcome: AnswerOutcome;
  /** Of one that has come elsewhere: how the task ended. */
  readonly ended?: AnswerOutcome;
  /** What settled or ended the debt, taken for this caller by a pull claim (rule 31). */
  readonly message?: Message;
  /** What the worker sent meanwhile, before it; only for a caller that asked for them. */
  readonly reports: readonly Message[];
  /** The worker has asked something, and waits for the caller's word. */
  readonly isAsked: boolean;
  /** It is the caller's: its last byte has left. Of a long one perhaps only a part. */
  finish(pieces?: readonly Piece[], line?: string): Promise<void>;
  lose(cause: string): Promise<void>;
}

/**
 * `answered`: by a completion or reply. `unanswered`: the worker was reminded and said nothing.
 * `exited`, `dead`: it is gone, or the task never arrived. `withdrawn`: the task was taken back.
 * `pending`: the time is over, and the answer will come as a message. `elsewhere`: it has come as
 * one.
 */
type AnswerOutcome =
  | 'answered'
  | 'unanswered'
  | 'exited'
  | 'dead'
  | 'removed'
  | 'withdrawn'
  | 'pending'
  | 'elsewhere';

export interface Found {
  readonly outcome: AnswerOutcome;
  readonly message?: Message;
}

export interface Taker {
  readonly task: string;
  readonly waiter: Waiter;
  /** The debt was open when this wait began. */
  readonly isFirst: boolean;
}

/**
 * Takes it by the claim that was made for us; if another route has it, it is not handed out a
 * second time.
 */
export async function takeAnswer(
  parts: TeamParts,
  taker: Taker,
  { outcome, message }: Found,
): Promise<AwaitedAnswer> {
  if (!message) return { ...pending, outcome };
  const { task, waiter } = taker;
  const { ledger, surroundings } = parts;
  const { clock } = surroundings;
  const taken = await ledger.write(async (tx) => {
    const claim = message.token === undefined ? undefined : await tx.claims.find(message.token);
    const isOurs = claim?.route === 'pull' && claim.takenAtMs === waiter.sinceMs;
    if (!claim || !isOurs || claim.endedAt !== undefined || message.state !== 'claimed')
      return undefined;
    if (claim.holder.pid !== surroundings.host.identity.pid) return undefined;
    if ((await beginAct(tx, surroundings, claim.token)) !== 'go') return undefined;
    const cause = `handed over as the answer to ${task}`;
    const [carried] = await recordInjected(tx, clock.now(), claim.token, cause);
    return carried && { claim, carried, isPuller: await isPuller(tx, message.to) };
  });
  if (!taken) {
    const isShared = await ledger.read((tx) => isOfAnotherWait(tx, taker, message));
    if (isShared) return { ...pending, outcome, message };
    return { ...pending, outcome: 'elsewhere', ended: outcome, message };
  }
  await reachFailPoint('handoff.taken');
  const { claim, carried } = taken;
  return {
    outcome,
    ...{ reports: [], isAsked: false },
    message: carried,
    // An agent's next call or output answers for it (rule 17); whoever pulls has it.
    finish: (pieces = [], line) =>
      noteArrived(ledger, surroundings, [{ ...carried, ...pieceOf(pieces, carried) }], {
        epoch: claim.epoch,
        isInTerminal: !taken.isPuller,
        cause: `taken as the answer to ${task}`,
        ...(line === undefined ? {} : { line }),
      }),
    lose: async (cause) => {
      const why = { code: 'not-printed', cause } as const;
      await ledger.write((tx) => loseSight(tx, clock.now(), claim, why));
    },
  };
}

/**
 * One message ended several debts, or somebody waits for this one in our place: it was claimed for
 * one wait. That one answers for it, and the others return it as well, because each of them is the
 * answer to a question of its own (rule 31).
 */
async function isOfAnotherWait(
  tx: LedgerTransaction,
  { task, waiter, isFirst }: Taker,
  { id, replyTo }: Message,
): Promise<boolean> {
  const { token } = (await tx.messages.find(id)) ?? {};
  const claim = token === undefined ? undefined : await tx.claims.find(token);
  if (!isFirst || claim?.route !== 'pull') return false;
  for (const ended of [task, ...replyTo]) {
    const other = (await tx.debts.find(ended))?.waiter;
    if (other && other.id !== waiter.id && other.sinceMs === claim.takenAtMs) return true;
  }
  return false;
}

/** The reports come before the answer, and are finished or lost with it. */
export function withReports(answer: AwaitedAnswer, reports: TakenReports): AwaitedAnswer {
  return {
    ...answer,
    reports: reports.messages,
    finish: async (pieces = [], line) => {
      await reports.finish(pieces, line);
      await answer.finish(pieces, line);
    },
    lose: async (cause) => {
      await reports.lose(cause);
      await answer.lose(cause);
    },
  };
}

export const pending: AwaitedAnswer = {
  outcome: 'pending',
  reports: [],
  isAsked: false,
  finish: async () => undefined,
  lose: async () => undefined,
};
