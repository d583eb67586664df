import { createHash } from 'node:crypto';
import type { Message, TurnOutcome } from '../messages/message.ts';
import type { TurnNews } from '../providers/way-in.ts';
import type { Clock } from '../shared/clock.ts';
import type { Ledger, LedgerTransaction } from '../store/ledger.ts';
import { completeIn, recipients } from './complete-turn.ts';

/** The same stop, reported twice (a slow hook, then its stand-in), comes within this time. */
const sameReportMs = 10_000;

/** One stop of a turn, however it was learned. */
export interface TurnStop extends Pick<TurnNews, 'session' | 'id' | 'stop' | 'text'> {
  readonly child: string;
  readonly epoch: number;
  readonly outcome: TurnOutcome;
}

/**
 * Writes down that a turn stopped: which stop of which turn it is, what has entered since the one before, and the completions
 * that follow from it (rules 26–29). With nobody to tell and nothing that entered, not one write (rule 20).
 */
export async function endTurn(
  ledger: Ledger,
  clock: Clock,
  stop: TurnStop,
): Promise<readonly Message[]> {
  const isDue = await ledger.read(async (tx) => {
    const child = await tx.agents.find(stop.child);
    if (!child) return false;
    if (recipients(child, stop, []).size > 0) return true;
    return (await tx.claims.listEntered(stop.child, stop.epoch)).length > 0;
  });
  return isDue ? ledger.write((tx) => endTurnIn(tx, clock.now(), stop)) : [];
}

export async function endTurnIn(
  tx: LedgerTransaction,
  now: number,
  stop: TurnStop,
): Promise<readonly Message[]> {
  const { child, epoch, session, id, outcome, text = '' } = stop;
  const n = stop.stop ?? (await count(tx, now, stop));
  const turn = { session, id, stop: n };
  // A dialog answers nothing, and what entered is still being worked on.
  const entered = outcome === 'waiting' ? [] : await tx.claims.listEntered(child, epoch);
  await tx.claims.setTurn(entered, `${session}/${id}/${n}`);
  const ids = entered.map(({ messageId }) => messageId);
  return completeIn(tx, now, { child, turn, outcome, summary: text, entered: ids });
}

/** Which stop of its turn this is: the same one again, or one more (rule 26). */
async function count(tx: LedgerTransaction, now: number, stop: TurnStop): Promise<number> {
  const { child, session, id, outcome, text = '' } = stop;
  const digest = createHash('sha256').update(`${outcome}\n${text}`).digest('hex');
  const last = await tx.turns.findStop(child);
  const isSameTurn = last?.session === session && last.turn === id;
  if (isSameTurn && last.digest === digest && Math.abs(now - last.at) < sameReportMs) return last.n;
  const n = isSameTurn ? last.n + 1 : 1;
  await tx.turns.setStop(child, { session, turn: id, n, digest, at: now });
  return n;
}

/** For a CLI that does not name its turns: the epoch and a counter, which survive us (rule 26). */
export async function nameTurn(
  ledger: Ledger,
  child: string,
  epoch: number,
): Promise<{ readonly session: string; readonly id: string }> {
  const session = `epoch-${epoch}`;
  const last = await ledger.read((tx) => tx.turns.findStop(child));
  const number = last?.session === session ? Number(last.turn) || 0 : 0;
  return { session, id: String(number + 1) };
}
