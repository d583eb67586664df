import { reminderKey } from '../../../src/delivery/settle-debt.ts';
import type { Claim } from '../../../src/messages/claim.ts';
import type { Debt } from '../../../src/messages/debt.ts';
import type { Message } from '../../../src/messages/message.ts';
import type { HistoryRow } from '../../../src/messages/message-store.ts';
import { messageStates } from '../../../src/messages/transitions.ts';
import type { Entry } from '../truth.ts';
import { tellingOf } from './tellings.ts';
import type { TrueStop } from './turn-book.ts';
import type { TeamWorld } from './world.ts';

/** A task with its debt, and all that was said about it. */
export interface DebtAccount {
  readonly task: Message;
  readonly debt: Debt;
  readonly endedBy: Message | undefined;
  readonly told: Message | undefined;
  /** Its tries, and those of what reminds of it. */
  readonly tries: Tries;
  readonly reminder: Tries | undefined;
}

/** What was done to bring one message into a conversation. */
export interface Tries {
  readonly id: string;
  readonly history: readonly HistoryRow[];
  readonly claims: readonly Claim[];
}

export async function listMessages({ inner }: TeamWorld): Promise<readonly Message[]> {
  const query = { states: messageStates, limit: 100_000, includeDiscarded: true };
  return (await inner.read((tx) => tx.messages.list(query))).toSorted((a, b) => a.seq - b.seq);
}

export async function readAccounts(world: TeamWorld): Promise<readonly DebtAccount[]> {
  const all = await listMessages(world);
  const byId = new Map(all.map((message) => [message.id, message]));
  const accounts: DebtAccount[] = [];
  for (const task of all) {
    if (task.kind !== 'task') continue;
    const debt = await world.inner.read((tx) => tx.debts.find(task.id));
    if (!debt) throw new Error(`${task.id} made no debt`);
    const { endedBy = '', toldBy = '' } = debt;
    const reminded = all.find(({ key }) => key === reminderKey(debt));
    const words = { endedBy: byId.get(endedBy), told: byId.get(toldBy) };
    const tries = await readTries(world, task.id);
    const reminder = reminded && (await readTries(world, reminded.id));
    accounts.push({ task, debt, ...words, tries, reminder });
  }
  return accounts;
}

function readTries({ inner }: TeamWorld, id: string): Promise<Tries> {
  return inner.read(async (tx) => {
    const claims: Claim[] = [];
    for (const { token } of await tx.claims.listAttempts(id)) {
      const claim = await tx.claims.find(token);
      if (claim) claims.push(claim);
    }
    return { id, history: await tx.messages.history(id), claims };
  });
}

/**
 * Whether the ledger could know that it was in the conversation at that moment: proven, or put in
 * by a route that does not leave it behind a turn which is under way.
 */
export function isKnownIn({ history, claims }: Tries, at: number): boolean {
  const last = history.findLast((row) => row.at <= at)?.to;
  if (last === 'seen' || last === 'acked') return true;
  const claim = claims.findLast((each) => each.at <= at);
  return last === 'injected' && claim?.isBehindTurn === false;
}

/**
 * Where a CLI does not say what its turns held: it was believed to have taken the text by then, and
 * had lost it, or kept it for its next turn, of which nothing but proof could tell, and that came
 * before this end was told. What an agent fetched with a tool stands in no list of what a turn
 * held: where ends are dated to the second, the second itself is open.
 */
export function isMistaken(world: TeamWorld, account: DebtAccount, stop: TrueStop): boolean {
  const { truth } = world;
  const kind = world.agents.find(({ id }) => id === stop.agent)?.kind;
  if (!kind) return false;
  const { knowsHeld, dates } = tellingOf(kind);
  const { claims } = account.tries;
  if (knowsHeld) {
    const second = Math.floor(stop.endedAt / 1000);
    const isInSecond = ({ route, at }: Claim): boolean =>
      route === 'pull' && Math.floor(at / 1000) === second;
    return dates === 'by-second' && claims.some(isInSecond);
  }
  const landed = truth.landings.slice(0, stop.landings).map(({ entry }) => entry.mark);
  // So was what reminds of it: a hook had confirmed it, and died before it printed a word.
  const { reminder } = account;
  const reminding = reminder?.claims.findLast((each) => each.at <= stop.endedAt);
  const isReminded = reminder !== undefined && isKnownIn(reminder, stop.endedAt);
  if (isReminded && reminding?.isBehindTurn === false && !landed.includes(reminding.mark))
    return true;
  const claim = claims.findLast((each) => each.at <= stop.endedAt);
  if (!claim) return false;
  const isLate = (account.debt.endedAt ?? 0) - stop.endedAt > 1000;
  const hasLanded = landed.includes(claim.mark);
  if (!kind.hasProof || (claim.isBehindTurn && (isLate || hasLanded))) return true;
  // It looked at rest, and was not any more.
  if (!claim.isBehindTurn && !hasLanded) return true;
  return truth.late.has(claim.mark);
}

/** Why a debt need not end: undefined when somebody waits and knows nothing. */
export function explainOpen(
  world: TeamWorld,
  { debt }: DebtAccount,
  all: readonly DebtAccount[],
): 'ended' | 'told' | 'giver gone' | 'asked' | 'waits below' | undefined {
  if (debt.endedAt !== undefined) return 'ended';
  if (isGone(world, debt.creditor)) return 'giver gone';
  if (isGone(world, debt.debtor)) return undefined;
  if (debt.toldAt !== undefined) return 'told';
  if (findQuestion(world, debt.task, Number.MAX_VALUE, 'certainly')) return 'asked';
  const below = all.filter((other) => other.debt.creditor === debt.debtor);
  // What was given up, or asks, comes no further without it.
  const isWaiting = below.some(
    (other) => other.debt.endedAt === undefined && isAwaited(world, other.debt, Number.MAX_VALUE),
  );
  return isWaiting ? 'waits below' : undefined;
}

/**
 * `certainly`: before it and after it. `possibly`: at the same moment, too, and who knows which was
 * first.
 */
type Surety = 'certainly' | 'possibly';

function isWithin(begin: number, end: number | undefined, at: number, surety: Surety): boolean {
  // Some ends are dated to the second, and late.
  const [beginMs, endMs] = surety === 'certainly' ? [0, 1000] : [1000, -1000];
  return begin < at + beginMs && (end ?? Number.POSITIVE_INFINITY) > at + endMs;
}

/** Asked before then, and not answered by then. */
export function findQuestion(world: TeamWorld, task: string, at: number, surety: Surety) {
  return [...world.questions.values()].find(
    (question) =>
      question.task === task && isWithin(question.askedAt, question.heardAt, at, surety),
  );
}

/** Open at that moment, for this giver. */
export function findBelow(
  all: readonly DebtAccount[],
  creditor: string,
  at: number,
  surety: Surety,
): DebtAccount | undefined {
  return all.find(
    ({ debt }) => debt.creditor === creditor && isWithin(debt.givenAt, debt.endedAt, at, surety),
  );
}

/**
 * The same, and whoever owes it had neither asked back nor been reminded in vain: its giver had
 * nothing to do but wait.
 */
export function findAwaited(
  world: TeamWorld,
  all: readonly DebtAccount[],
  creditor: string,
  { at, toldAt = at }: { readonly at: number; readonly toldAt?: number | undefined },
): DebtAccount | undefined {
  const open = all.filter(({ debt }) => isAwaited(world, debt, toldAt));
  return findBelow(open, creditor, at, 'certainly');
}

function isAwaited(world: TeamWorld, { task, toldAt }: Debt, at: number): boolean {
  const isGivenUp = toldAt !== undefined && toldAt <= at;
  const surety = at === Number.MAX_VALUE ? 'certainly' : 'possibly';
  return !isGivenUp && !findQuestion(world, task, at, surety);
}

export function isGone({ agents }: TeamWorld, id: string): boolean {
  return agents.find((agent) => agent.id === id)?.isRemoved === true;
}

/** The CLI had taken it out of the conversation before the turn that ended then began. */
function isOut({ removedAt = Number.POSITIVE_INFINITY }: Entry, endedAt: number): boolean {
  return removedAt < endedAt;
}

/**
 * Whether the turn's conversation had the task, or what reminds of it, when the turn stopped;
 * `certainly`: and it was not taken out again, then or later.
 */
export function isHeldBy(
  { truth }: TeamWorld,
  ids: readonly string[],
  { agent, conversation, landings, endedAt }: TrueStop,
  surety: Surety,
): boolean {
  return truth.landings
    .slice(0, landings)
    .some(
      (one) =>
        one.agent === agent &&
        one.entry.conversation === conversation &&
        (surety === 'possibly' ? !isOut(one.entry, endedAt) : !one.entry.removed) &&
        one.entry.copies.some(({ id }) => ids.includes(id)),
    );
}

/** The task, and what reminds of it. */
export function listNames({ task, reminder }: DebtAccount): readonly string[] {
  return reminder ? [task.id, reminder.id] : [task.id];
}

export function name({ agent, turn, n }: TrueStop): string {
  return `turn ${turn}.${n} of ${agent}`;
}
