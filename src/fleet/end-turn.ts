import { createHash } from 'node:crypto';
import type { Agent } from '../agents/agent.ts';
import { wasLeft } from '../agents/epoch.ts';
import type { Entered } from '../messages/claim-store.ts';
import type { Debt, DebtEnd } from '../messages/debt.ts';
import type { Message, TurnOutcome } from '../messages/message.ts';
import type { TurnNews } from '../providers/way-in.ts';
import { type Clock, isLater } from '../shared/clock.ts';
import { reachFailPoint } from '../shared/fail-point.ts';
import type { Ledger, LedgerTransaction } from '../store/ledger.ts';
import { completeIn, recipients, type TurnEnd } from './complete-turn.ts';

/** The same stop, reported twice (a slow hook, then its stand-in), comes within this time. */
const sameReportMs = 10_000;

/** One stop of a turn, however it was learned. */
export interface TurnStop
  extends Pick<TurnEnd, 'onRecord' | 'corrects'>,
    Pick<
      TurnNews,
      'session' | 'id' | 'stop' | 'text' | 'why' | 'endedAt' | 'held' | 'report' | 'background'
    > {
  readonly child: string;
  readonly epoch: number;
  readonly outcome: TurnOutcome;
  readonly ends?: readonly Debt[];
  readonly endsAs?: DebtEnd;
  /**
   * Claims that can have entered by then: what was claimed since is of a later turn. Undefined: all
   * that there are.
   */
  readonly among?: readonly number[];
  /** What others owed it by then. Undefined: what they owe it now, or at `endedAt`. */
  readonly below?: readonly Debt[];
  /** The authority for turn ends is silent, and this is another source's word (rule 26). */
  readonly isStandIn?: boolean;
}

export interface Told {
  /** False: this stop was told before, and nothing came of it now. */
  readonly isNews: boolean;
  readonly completions: readonly Message[];
}

/**
 * Writes down that a turn stopped: which stop of which turn it is, what has entered since the one
 * before, and the completions that follow from it (rules 26–29). A stop that was told before
 * changes nothing, whoever tells it again and however late. With nobody to tell and nothing that
 * entered there is not one write (rule 20), unless the CLI may tell of this stop again.
 */
export async function endTurn(ledger: Ledger, clock: Clock, stop: TurnStop): Promise<Told> {
  const isDue = await ledger.read(async (tx) => {
    const child = await tx.agents.find(stop.child);
    if (!child) return false;
    if (isBackgroundNews(child, stop)) return true;
    if (stop.stop !== undefined)
      return !(await tx.turns.hasStop(child.id, nameStop(stop, stop.stop)));
    if (recipients(child, stop, []).size > 0) return true;
    if ((await tx.debts.listOwedBy(stop.child)).length > 0) return true;
    const entered = await tx.claims.listEntered(stop.child, stop.epoch);
    return entered.some(({ isIn }) => isIn);
  });
  if (!isDue) return { isNews: stop.stop === undefined, completions: [] };
  await reachFailPoint('turn.heard');
  const told = await ledger.write((tx) => endTurnIn(tx, clock.now(), stop));
  await reachFailPoint('turn.kept');
  return told;
}

/** Only of a worker that ends by itself: what goes on behind its turn keeps it. */
function isBackgroundNews(child: Agent, { background }: Pick<TurnStop, 'background'>): boolean {
  return (
    child.endsWith !== undefined &&
    background !== undefined &&
    background !== (child.background ?? 0)
  );
}

export async function endTurnIn(tx: LedgerTransaction, now: number, stop: TurnStop): Promise<Told> {
  const { child, epoch, session, id, outcome, endedAt, ends, endsAs = 'exited' } = stop;
  const agent = await tx.agents.find(child);
  if (agent && isBackgroundNews(agent, stop)) await tx.agents.setBackground(child, stop.background);
  const text = stop.why ?? stop.text ?? '';
  const listed = await tx.claims.listEntered(child, epoch);
  const open = listed.filter(({ token }) => stop.among?.includes(token) ?? true);
  const n = await count(tx, now, stop, open);
  if (n === undefined) return { isNews: false, completions: [] };
  if (n === 'confirmed') return { isNews: true, completions: [] };
  // A dialog answers nothing, and what entered is still being worked on.
  const isOver = outcome !== 'waiting';
  const carried = isOver ? await listCarried(tx, stop) : [];
  const among = isOver ? open.filter((each) => isHeld(each, stop, now)) : [];
  const entered = [...carried, ...(await dropTakenOut(tx, stop, among))];
  await tx.claims.setTurn(entered, `${session}/${id}/${n}`);
  if (outcome !== 'waiting') await correctStandIn(tx, stop, `${session}/${id}/${n}`);
  const ids = entered.map(({ messageId }) => messageId);
  const end = {
    child,
    turn: { session, id, stop: n },
    outcome,
    summary: text,
    entered: ids,
    ...(endedAt === undefined ? {} : { endedAt }),
    knowsHeld: stop.held !== undefined,
    ...{ onRecord: stop.onRecord, corrects: stop.corrects },
    ...(stop.below === undefined ? {} : { below: stop.below }),
  };
  const completions = await completeIn(tx, now, ends ? { ...end, ends, endsAs } : end);
  return { isNews: true, completions };
}

/**
 * What an earlier life took, and the CLI's own queue brought into this turn: its source knows it by
 * the mark.
 */
async function listCarried(
  tx: LedgerTransaction,
  { child, epoch, held = [] }: TurnStop,
): Promise<readonly Pick<Entered, 'messageId' | 'token'>[]> {
  const carried: Pick<Entered, 'messageId' | 'token'>[] = [];
  for (const mark of held) {
    const claim = await tx.claims.findByMark(mark);
    if (claim?.recipient !== child || claim.epoch >= epoch) continue;
    const attempts = await tx.claims.listAttemptsOf(claim.token);
    for (const { messageId, token, turn, outcome } of attempts) {
      if (turn === undefined && outcome !== 'not-landed') carried.push({ messageId, token });
    }
  }
  return carried;
}

/**
 * A stand-in took these for what its own turn held, which has no name: whoever knows what this one
 * held knows better.
 */
async function correctStandIn(tx: LedgerTransaction, stop: TurnStop, turn: string): Promise<void> {
  for (const mark of stop.held ?? []) {
    const claim = await tx.claims.findByMark(mark);
    if (claim?.recipient !== stop.child || claim.epoch !== stop.epoch) continue;
    const attempts = await tx.claims.listAttemptsOf(claim.token);
    const isStoodIn = (name: string | undefined): boolean => name?.startsWith('epoch-') === true;
    await tx.claims.setTurn(
      attempts.filter((attempt) => isStoodIn(attempt.turn)),
      turn,
    );
  }
}

/**
 * Whether the turn held it: by its mark where the source knows all of them, but for what the agent
 * fetched with a tool. What was pasted, and whose Enter was taken after we had stopped looking, is
 * in by the records: a short turn is over before anybody else has asked them about it (Claude Code
 * 2.1.325, two cores with a load of 30: 2 of 5 tasks).
 */
function isHeld(
  { mark, token, route, at, isIn }: Entered,
  { held, endedAt, onRecord }: TurnStop,
  now: number,
): boolean {
  if (held && route !== 'pull') return held.includes(mark);
  const isPasted = route === 'paste' && onRecord?.in.has(token) === true;
  return (isIn || isPasted) && !isLater(at, endedAt, now);
}

/**
 * A turn that ended well answers nothing that the CLI had taken out of the conversation before it
 * began (rule 9): nobody may have heard that the turn before was interrupted. Nor what was
 * put into a conversation that was left for this one (rule 27): nobody may have heard how its turn
 * ended.
 */
async function dropTakenOut(
  tx: LedgerTransaction,
  { child, epoch, outcome, held, onRecord }: TurnStop,
  among: readonly Entered[],
): Promise<readonly Entered[]> {
  if (outcome !== 'completed' || held) return among;
  const life = await tx.epochs.find(child, epoch);
  const kept: Entered[] = [];
  for (const each of among) {
    const state = (await tx.messages.find(each.messageId))?.state;
    const isBack = state === 'queued' || state === 'claimed';
    const isOut = isBack || wasLeft(life, each.at);
    if (!isOut && onRecord?.out.has(each.token) !== true) kept.push(each);
  }
  return kept;
}

/**
 * Which stop of its turn this is, remembered for good; undefined when it was told before (rule 26).
 * `confirmed`: by a stand-in, and nothing is to be added to that.
 */
async function count(
  tx: LedgerTransaction,
  now: number,
  stop: TurnStop,
  entered: readonly Entered[],
): Promise<number | 'confirmed' | undefined> {
  const { child, session, id, outcome, text = '', isStandIn = false } = stop;
  const digest = digestOf(outcome, text);
  const { report, endedAt: at = now } = stop;
  const told = { session, turn: id, outcome, digest, at, isStandIn };
  const name = (n: number) => ({ ...told, n, ...(report === undefined ? {} : { report }) });
  const remember = async (n: number): Promise<number> => {
    await tx.turns.addStop(child, name(n));
    return n;
  };
  if (stop.stop !== undefined) {
    const isKnown = await tx.turns.hasStop(child, nameStop(stop, stop.stop));
    return isKnown ? undefined : remember(stop.stop);
  }
  const last = await tx.turns.findStop(child, { session, turn: id });
  if (!last) return remember(1);
  if (report !== undefined && (await tx.turns.hasReport(child, { session, turn: id }, report)))
    return undefined;
  if (report !== undefined && last.report !== undefined) return remember(last.n + 1);
  // Between two stops of a turn that we continued stands what we said; a model may answer "Done."
  // to both, and quickly.
  if (isContinued(entered)) return remember(last.n + 1);
  if (isStandIn) return undefined;
  if (last.isStandIn) {
    if (await isCorrected(tx, stop)) return remember(last.n + 1);
    await tx.turns.confirmStop(child, name(last.n));
    return 'confirmed';
  }
  const isSameReport = last.digest === digest && Math.abs(now - last.at) < sameReportMs;
  return isSameReport ? undefined : remember(last.n + 1);
}

/** A stand-in cannot know that the turn ended well: a debt would stay open for that. */
async function isCorrected(tx: LedgerTransaction, { child, outcome }: TurnStop): Promise<boolean> {
  return outcome === 'completed' && (await tx.debts.listOwedBy(child)).length > 0;
}

/** By which the same report is known again. */
function digestOf(outcome: TurnOutcome, text: string): string {
  return createHash('sha256').update(`${outcome}\n${text}`).digest('hex');
}

function nameStop({ session, id }: TurnStop, n: number) {
  return { session, turn: id, n };
}

function isContinued(entered: readonly Entered[]): boolean {
  return entered.some(({ route, isIn }) => isIn && route === 'turn-boundary');
}

/**
 * For a turn that its CLI did not name: the epoch and a number, which survive us (rule 26). None
 * comes twice.
 */
export async function nameTurn(
  ledger: Ledger,
  child: string,
  epoch: number,
): Promise<{ readonly session: string; readonly id: string }> {
  const session = `epoch-${epoch}`;
  const told = await ledger.read((tx) => tx.turns.countStops(child, session));
  return { session, id: String(told + 1) };
}

/** Remembers an end that a stand-in has told under another name, so that nobody tells it again. */
export async function noteTurn(ledger: Ledger, clock: Clock, stop: TurnStop): Promise<void> {
  await ledger.write((tx) => count(tx, clock.now(), stop, []));
}

/** How a turn ended whose words were told: a stand-in does not know better. */
const toldWith: readonly TurnOutcome[] = ['completed', 'interrupted', 'unknown'];

/**
 * What an agent said last: of a turn that did not end well, that may be the words of an earlier
 * one, which were told with it.
 */
export async function dropToldWords(
  ledger: Ledger,
  child: string,
  outcome: TurnOutcome,
  words: string | undefined,
): Promise<string | undefined> {
  if (words === undefined || outcome === 'completed') return words;
  const isTold = await ledger.read(async (tx) => {
    for (const as of toldWith)
      if (await tx.turns.hasDigest(child, digestOf(as, words))) return true;
    return false;
  });
  return isTold ? undefined : words;
}
