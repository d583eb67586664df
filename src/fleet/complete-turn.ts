import { type Agent, isUser } from '../agents/agent.ts';
import { acknowledge } from '../delivery/acknowledge.ts';
import { showNewestDeadCompletion } from '../delivery/bury.ts';
import type { OnRecord } from '../delivery/on-record.ts';
import { supersede } from '../delivery/return-to-queue.ts';
import { endDebt } from '../delivery/settle-debt.ts';
import { tellSender } from '../delivery/tell-sender.ts';
import { createBounce } from '../messages/bounce.ts';
import type { Debt, DebtEnd } from '../messages/debt.ts';
import { type DeadReason, limits, type Message, type TurnOutcome } from '../messages/message.ts';
import { type NewMessage, toNewMessage } from '../messages/message-store.ts';
import { truncate } from '../messages/truncate.ts';
import type { Clock } from '../shared/clock.ts';
import { createId } from '../shared/ids.ts';
import type { Ledger, LedgerTransaction } from '../store/ledger.ts';
import { findHeld, findSettled } from './settled-by-turn.ts';

/** One end of a turn, as its provider's authority for turn ends reports it (rule 26). */
export interface TurnEnd {
  readonly child: string;
  /**
   * The CLI's session id, its turn id, and the nth stop of that turn: the same after every restart
   * and resume.
   */
  readonly turn: { readonly session: string; readonly id: string; readonly stop: number };
  readonly outcome: TurnOutcome;
  readonly summary: string;
  /** Messages that entered the conversation since this turn's previous stop. */
  readonly entered: readonly string[];
  /** The source knows all that its turns held. */
  readonly knowsHeld?: boolean;
  /** Wall time, of an end that may be told late: it answers nothing that was sent after it. */
  readonly endedAt?: number;
  /** What the CLI's records say of its tasks; undefined: nothing. */
  readonly onRecord?: OnRecord | undefined;
  /** A stand-in has told this very end, under a name of its own. */
  readonly corrects?: Pick<TurnEnd['turn'], 'session' | 'id'> | undefined;
  /** What others owed it as it ended, of an end that is told as it happens. */
  readonly below?: readonly Debt[];
  /** What the end of a process ends with it. */
  readonly ends?: readonly Debt[];
  readonly endsAs?: DebtEnd;
  /** Who is told in any case. */
  readonly also?: string;
}

/**
 * Turns the end of a turn into completions: one for the parent and one for each other agent whose
 * task it answers (rule 27). The same end reported twice makes the same completions once; a newer
 * one supersedes what is still queued and answers no task, in the same transaction (rule 28).
 */
export function completeTurn(
  ledger: Ledger,
  clock: Clock,
  end: TurnEnd,
): Promise<readonly Message[]> {
  return ledger.write((tx) => completeIn(tx, clock.now(), end));
}

/** The same, as part of a larger transaction. */
export async function completeIn(
  tx: LedgerTransaction,
  now: number,
  end: TurnEnd,
): Promise<readonly Message[]> {
  const child = await tx.agents.find(end.child);
  if (!child) throw new Error(`a turn ended of ${end.child}, which was never an agent`);
  const entered = await findEntered(tx, end);
  const debts = await findSettled(tx, now, end, entered);
  const held = await findHeld(tx, now, end);
  const completions: Message[] = [];
  const concerned = new Set(recipients(child, end, entered, debts));
  if (end.also !== undefined) concerned.add(end.also);
  // Whoever waits for its answer waits for a person now, and may be one.
  if (end.outcome === 'waiting') for (const { creditor } of held) concerned.add(creditor);
  for (const to of concerned) {
    completions.push(await complete(tx, now, { end, child, to, entered, debts, held }));
  }
  return completions;
}

async function findEntered(tx: LedgerTransaction, end: TurnEnd): Promise<readonly Message[]> {
  const found: Message[] = [];
  for (const id of end.entered) {
    const message = await tx.messages.find(id);
    if (message?.to === end.child) found.push(message);
  }
  return found;
}

/** Whom the end of a turn concerns. */
export function recipients(
  child: Agent,
  end: Pick<TurnEnd, 'outcome'>,
  entered: readonly Message[],
  debts: readonly Debt[] = [],
): ReadonlySet<string> {
  const to = new Set<string>();
  if (child.parent !== undefined && child.notify) to.add(child.parent);
  if (end.outcome === 'waiting') return to;
  // Who gave a task, and the user whose prompt it was (rule 51e).
  for (const { kind, from, isPrompt } of entered) {
    if (kind === 'task' || (isPrompt && isUser({ id: from }))) to.add(from);
  }
  for (const { creditor } of debts) to.add(creditor);
  // Who gave itself a task knows how it ended.
  to.delete(child.id);
  return to;
}

async function complete(
  tx: LedgerTransaction,
  now: number,
  given: {
    readonly end: TurnEnd;
    readonly child: Agent;
    readonly to: string;
    readonly entered: readonly Message[];
    readonly debts: readonly Debt[];
    /** Open ones, as they were before this end. */
    readonly held: readonly Debt[];
  },
): Promise<Message> {
  const { end, child, to } = given;
  const turn = `${end.turn.session}/${end.turn.id}/${end.turn.stop}`;
  const key = `turn:${turn}:${to}`;
  const known = await tx.messages.findByKey(child.id, key);
  if (known) return known;
  // A child that waits in a dialog has answered nothing.
  const answered =
    end.outcome === 'waiting' ? [] : given.entered.filter((message) => message.from === to);
  const settled = given.debts.filter(({ creditor }) => creditor === to);
  const replyTo = new Set([...answered.map(({ id }) => id), ...settled.map(({ task }) => task)]);
  const owes = given.held
    .filter(({ task, creditor }) => creditor === to && !settled.some((each) => each.task === task))
    .map(({ task }) => task);
  const isToldBefore = await isStillFailing(tx, end, to, [...replyTo, ...owes]);
  const reason = whyUndeliverable(child, to, await tx.agents.find(to));
  const { text, truncated } = truncate(end.summary, limits.completion);
  if (!reason) await supersedeStale(tx, now, child.id, to);
  const row: NewMessage = {
    id: createId('msg', now),
    kind: 'completion',
    from: child.id,
    to,
    child: child.id,
    turn,
    key,
    outcome: end.outcome,
    body: text,
    truncated,
    replyTo: [...replyTo],
    answersTask: settled.length > 0,
    owes,
    reports: [...new Set(settled.flatMap(({ reports = [] }) => reports))],
    isQuiet: settled.length === 0 && (isToldBefore || (await isAnsweredInWords(tx, answered))),
    state: reason ? 'dead' : 'queued',
    createdAt: now,
    cause: reason ? `dead on arrival: ${reason}` : 'accepted',
    ...(reason ? { reason } : {}),
  };
  const told = reason ? await tellOfDead(tx, now, row, reason) : {};
  const [completion] = await tx.messages.insert([{ ...row, ...told }]);
  if (!completion) throw new Error('the store returned no message for an insert');
  if (reason) await showNewestDeadCompletion(tx, now, completion);
  const how = end.outcome === 'exited' ? (end.endsAs ?? 'exited') : 'answered';
  for (const debt of settled) await endDebt(tx, now, debt, how, completion);
  if (how === 'answered') {
    const tasks = settled.map(({ task }) => task);
    const why = { code: 'answered', cause: `answered by ${completion.id}` } as const;
    await acknowledge(tx, now, tasks, why);
    for (const task of tasks) await attribute(tx, task, turn);
  }
  return completion;
}

/**
 * Of some tasks no proof tells which turn held them: it is the one that answered, and none after
 * it.
 */
async function attribute(tx: LedgerTransaction, task: string, turn: string): Promise<void> {
  const attempts = await tx.claims.listAttempts(task);
  await tx.claims.setTurn(
    attempts.filter((attempt) => attempt.turn === undefined && attempt.outcome === 'acked'),
    turn,
  );
}

/**
 * One more failure of a child whose API keeps failing, about nothing that its recipient has not
 * read of as failed: it wakes nobody. What ends it does: the next turn that ends otherwise, or the
 * word that no answer came.
 */
async function isStillFailing(
  tx: LedgerTransaction,
  { child, outcome }: TurnEnd,
  to: string,
  about: readonly string[],
): Promise<boolean> {
  if (outcome !== 'failed') return false;
  const before = await tx.messages.findNewestCompletion(child, to);
  // One that is queued and wakes is superseded by this one, which then has to wake in its place
  // (rule 28).
  if (before?.outcome !== 'failed' || (before.state === 'queued' && !before.isQuiet)) return false;
  const told = [...before.replyTo, ...(before.owes ?? [])];
  return about.every((id) => told.includes(id));
}

/**
 * Whoever gave the task has its answer already, as a reply: that the turn is over as well wakes
 * nobody (rule 30).
 */
async function isAnsweredInWords(
  tx: LedgerTransaction,
  answered: readonly Message[],
): Promise<boolean> {
  const tasks = answered.filter(({ kind }) => kind === 'task');
  for (const { id } of tasks) {
    if ((await tx.debts.find(id))?.end !== 'answered') return false;
  }
  return tasks.length > 0;
}

/**
 * The child is told of each answer that cannot arrive; of the rest once for each reason, not once
 * for each turn.
 */
async function tellOfDead(
  tx: LedgerTransaction,
  now: number,
  row: NewMessage,
  reason: DeadReason,
): Promise<{ readonly evidence?: string }> {
  const known = await tx.messages.listDeadCompletions(row.from, reason);
  if (known.length > 0 && !row.answersTask) return {};
  return tellSender(tx, now, toNewMessage(row, 0), (dead, name) => createBounce(dead, name));
}

function whyUndeliverable(
  child: Agent,
  to: string,
  recipient: Agent | undefined,
): DeadReason | undefined {
  if (child.removedAt !== undefined) return 'child_removed';
  if (recipient && recipient.removedAt === undefined) return undefined;
  return recipient || to !== child.parent ? 'parent_removed' : 'orphan';
}

async function supersedeStale(
  tx: LedgerTransaction,
  now: number,
  child: string,
  to: string,
): Promise<void> {
  for (const stale of await tx.messages.listStaleable(child, to)) {
    await supersede(tx, now, stale.id, 'a newer completion of the same child was accepted');
  }
}
