import { createHash } from 'node:crypto';
import type { Entered } from '../messages/claim-store.ts';
import type { Debt } from '../messages/debt.ts';
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
  readonly ends?: readonly Debt[];
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
    if ((await tx.debts.listOwedBy(stop.child)).length > 0) return true;
    return (await tx.claims.listEntered(stop.child, stop.epoch)).length > 0;
  });
  return isDue ? ledger.write((tx) => endTurnIn(tx, clock.now(), stop)) : [];
}

export async function endTurnIn(
  tx: LedgerTransaction,
  now: number,
  stop: TurnStop,
): Promise<readonly Message[]> {
  const { child, epoch, session, id, outcome, text = '', ends } = stop;
  const open = await tx.claims.listEntered(child, epoch);
  const { n, isRepeat } =
    stop.stop === undefined ? await count(tx, now, stop, open) : { n: stop.stop, isRepeat: false };
  const turn = { session, id, stop: n };
  // A dialog answers nothing, and what entered is still being worked on; after a report that is repeated it is of the next turn.
  const entered = outcome === 'waiting' || isRepeat ? [] : open;
  await tx.claims.setTurn(entered, `${session}/${id}/${n}`);
  const ids = entered.map(({ messageId }) => messageId);
  const end = { child, turn, outcome, summary: text, entered: ids };
  return completeIn(tx, now, ends ? { ...end, ends } : end);
}

/** Which stop of its turn this is: the same one again, or one more (rule 26). */
async function count(
  tx: LedgerTransaction,
  now: number,
  stop: TurnStop,
  entered: readonly Entered[],
): Promise<{ readonly n: number; readonly isRepeat: boolean }> {
  const { child, session, id, outcome, text = '' } = stop;
  const digest = createHash('sha256').update(`${outcome}\n${text}`).digest('hex');
  const last = await tx.turns.findStop(child);
  const isSameTurn = last?.session === session && last.turn === id;
  const isSameReport = last?.digest === digest && Math.abs(now - last.at) < sameReportMs;
  // Between two stops of a turn that we continued stands what we said; a model may answer "Done." to both, and quickly.
  if (isSameTurn && isSameReport && !(await isContinued(tx, entered))) {
    return { n: last.n, isRepeat: true };
  }
  const n = isSameTurn ? last.n + 1 : 1;
  await tx.turns.setStop(child, { session, turn: id, n, digest, at: now });
  return { n, isRepeat: false };
}

async function isContinued(tx: LedgerTransaction, entered: readonly Entered[]): Promise<boolean> {
  for (const { token } of entered) {
    if ((await tx.claims.find(token))?.route === 'turn-boundary') return true;
  }
  return false;
}

/**
 * For a turn that its CLI did not name: the epoch and a counter, which survive us (rule 26). One stop alone is remembered, so
 * after a stop that the CLI did name the counter begins again behind that name: no name comes twice.
 */
export async function nameTurn(
  ledger: Ledger,
  child: string,
  epoch: number,
): Promise<{ readonly session: string; readonly id: string }> {
  const session = `epoch-${epoch}`;
  const last = await ledger.read((tx) => tx.turns.findStop(child));
  if (!last || isStandIn(last.session, session)) return { session, id: '1' };
  if (last.session !== session) {
    return { session, id: `${last.session}:${last.turn}:${last.n}+1` };
  }
  const [, before = '', number = '0'] = /^(.*\+)?(\d+)$/.exec(last.turn) ?? [];
  return { session, id: `${before}${Number(number) + 1}` };
}

/** Of another life. */
function isStandIn(session: string, current: string): boolean {
  return session !== current && /^epoch-\d+$/.test(session);
}
