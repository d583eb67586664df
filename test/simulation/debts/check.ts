import { userAgentId } from '../../../src/agents/agent.ts';
import { reminderKey } from '../../../src/delivery/settle-debt.ts';
import type { Message } from '../../../src/messages/message.ts';
import { check } from '../check.ts';
import {
  type DebtAccount,
  explainOpen,
  findAwaited,
  findBelow,
  findQuestion,
  isGone,
  isHeldBy,
  isKnownIn,
  isMistaken,
  listMessages,
  readAccounts,
} from './accounts.ts';
import { checkCompletions } from './check-completions.ts';
import { tellingOf } from './tellings.ts';
import type { TrueStop } from './turn-book.ts';
import type { TeamWorld } from './world.ts';

/** The promise about tasks, held against what really happened. Returns what was broken. */
export async function checkDebts(world: TeamWorld): Promise<readonly string[]> {
  const all = await listMessages(world);
  const accounts = await readAccounts(world);
  const broken = [...(await check(world)), ...checkCompletions(world, all, accounts)];
  for (const account of accounts) {
    const found = [
      ...checkAnswer(world, account, accounts, all),
      ...checkWaiting(world, account, accounts, all),
      ...checkGiven(world, account, accounts, all),
      ...checkReminders(world, account, accounts, all),
      ...checkExits(world, account, all),
    ];
    broken.push(...found.map((what) => tell(what, account)));
  }
  return broken;
}

/**
 * No text is an answer to a task that its turn did not hold; nor to one whose worker waits for
 * others (rules 26, 27, 30).
 */
function checkAnswer(
  world: TeamWorld,
  account: DebtAccount,
  accounts: readonly DebtAccount[],
  all: readonly Message[],
): readonly string[] {
  const { task, debt, endedBy } = account;
  const { judged } = world.truth;
  judged.note('rule 30: open debts without a reply');
  const isReplied = all.some(
    ({ id, kind, from, replyTo, createdAt }) =>
      kind === 'message' &&
      from === debt.debtor &&
      replyTo.includes(task.id) &&
      !world.questions.has(id) &&
      createdAt < (debt.endedAt ?? Number.POSITIVE_INFINITY),
  );
  if (isReplied) return ['rule 30: replied to, and still owed'];
  if (debt.end !== 'answered') return [];
  judged.note('rule 30: answered');
  if (!endedBy || endedBy.from !== debt.debtor || endedBy.to !== debt.creditor)
    return ['rule 30: answered by another'];
  if (endedBy.kind !== 'completion')
    return endedBy.replyTo.includes(task.id) ? [] : ['rule 30: answered by no reply to it'];
  const stop = world.book.findByText(endedBy.body);
  judged.note('rule 26: answered by a turn');
  if (!stop || stop.agent !== debt.debtor) return ['rule 27: answered with words of no turn'];
  const broken: string[] = [];
  const isHeld = isHeldBy(world, listNames(debt, all), stop, 'possibly');
  if (!isHeld && !isMistaken(world, account, stop))
    broken.push(`rule 26: answered by ${name(stop)}, which did not hold it`);
  const moment = { at: stop.endedAt, toldAt: debt.endedAt };
  if (findAwaited(world, accounts, debt.debtor, moment))
    broken.push('rule 30: answered while its worker waited for others');
  // What counts is the moment when it is told.
  if (findQuestion(world, task.id, debt.endedAt ?? 0, 'certainly'))
    broken.push('rule 30: answered while its question was open');
  return broken;
}

/** Whoever waits is told, and what tells it arrives. */
function checkWaiting(
  world: TeamWorld,
  account: DebtAccount,
  accounts: readonly DebtAccount[],
  all: readonly Message[],
): readonly string[] {
  const { task, debt, told, endedBy } = account;
  const why = explainOpen(world, account, accounts);
  if (why === undefined) return ['rules 30, 31: its giver waits, and is told nothing'];
  if (isGone(world, debt.creditor)) return [];
  const words = why === 'told' ? told : endedBy;
  if (why === 'ended' || why === 'told') {
    world.truth.judged.note('rule 31: an end or its want that was told');
    const bounces = all.filter(
      ({ to, kind, replyTo }) =>
        to === debt.creditor && kind === 'bounce' && replyTo.includes(task.id),
    );
    const said = words ? [words, ...bounces] : bounces;
    if (said.length === 0) return [`rule 31: it ended as ${debt.end}, and nobody was told`];
    const isTwice = why === 'ended' && endedBy?.kind === 'completion' && bounces.length > 0;
    if (isTwice) return [`rules 31, 35: told twice that it ended as ${debt.end}`];
    if (!said.some((message) => hasArrived(world, message)))
      return [`what ended it (${said[0]?.id}, ${said[0]?.state}) never reached its giver`];
  }
  const question =
    why === 'asked' ? findQuestion(world, task.id, Number.MAX_VALUE, 'certainly') : undefined;
  const asked = all.find(({ id }) => id === question?.id);
  if (asked) world.truth.judged.note('a question that waits');
  return asked && !hasArrived(world, asked) ? ['its question never reached its giver'] : [];
}

function hasArrived(world: TeamWorld, { id, to, state, reason }: Message): boolean {
  // Its last marked copy is uncertain, too: whoever sent it was told.
  if (reason === 'attempts_exhausted') return true;
  if (to === userAgentId) return state !== 'dead' && state !== 'expired';
  // As far as can be known.
  const kind = world.agents.find((agent) => agent.id === to)?.kind;
  if (state === 'injected' && kind?.hasProof === false) return true;
  return world.truth.landings.some(
    ({ agent, entry }) => agent === to && entry.copies.some((copy) => copy.id === id),
  );
}

/** Every answer that was given counts, and the first one does. */
function checkGiven(
  world: TeamWorld,
  account: DebtAccount,
  accounts: readonly DebtAccount[],
  all: readonly Message[],
): readonly string[] {
  const { task, debt, endedBy } = account;
  const worker = world.agents.find(({ id }) => id === debt.debtor);
  // What the screen alone tells of may be missed.
  if (worker && tellingOf(worker.kind).source === 'status') return [];
  if (!worker || isGone(world, debt.debtor) || endedBy?.kind === 'message') return [];
  const given = world.book.stops.find(
    (stop) =>
      stop.agent === worker.id &&
      stop.outcome === 'completed' &&
      stop.text !== '' &&
      stop.endedAt <= (debt.endedAt ?? Number.POSITIVE_INFINITY) &&
      isHeldBy(world, listNames(debt, all), stop, 'certainly') &&
      isKnownHeld(world, account, stop) &&
      !isOfAnother(world, account, accounts, stop) &&
      !findBelow(accounts, worker.id, stop.endedAt, 'possibly') &&
      !findQuestion(world, task.id, stop.endedAt, 'possibly'),
  );
  if (!given || given.isLost || given.epoch !== worker.epoch) return [];
  // It asked, had its answer, and only then its end was told: nobody can tell any more that the
  // words came before that.
  const told = world.book.findByText(endedBy?.body ?? '');
  const question = told && findQuestion(world, task.id, told.endedAt, 'possibly');
  if (question?.heardAt !== undefined && question.heardAt <= (debt.endedAt ?? 0)) return [];
  // Its end was told late: it was asked for once more before that, and answered.
  if (debt.end === 'answered' && debt.remindedAt !== undefined) return [];
  world.truth.judged.note('rule 27: an answer that was given');
  if (debt.end !== 'answered') return [`rule 30: ${name(given)} answered it in vain`];
  return endedBy?.body === given.text
    ? []
    : [`rule 27: ${name(given)} answered it, and its giver got "${endedBy?.body}"`];
}

/** Once each, and never while there is something else to wait for (rule 30). */
function checkReminders(
  world: TeamWorld,
  { task, debt }: DebtAccount,
  accounts: readonly DebtAccount[],
  all: readonly Message[],
): readonly string[] {
  const reminders = all.filter(({ key }) => key === reminderKey(debt));
  const told = all.filter(
    ({ kind, answersTask, replyTo }) =>
      kind === 'notice' && answersTask && replyTo.includes(task.id),
  );
  const broken: string[] = [];
  world.truth.judged.note('rule 30: a reminder', reminders.length + told.length);
  if (reminders.length > 1) broken.push('rule 30: reminded more than once');
  if (told.length > 1) broken.push('rule 30: its giver was told more than once');
  for (const { createdAt } of [...reminders, ...told]) {
    if (findAwaited(world, accounts, debt.debtor, { at: createdAt }))
      broken.push('rule 30: reminded while its worker waited for others');
    if (debt.endedAt !== undefined && debt.endedAt < createdAt)
      broken.push('rule 30: reminded of what had ended');
  }
  return broken;
}

/** Whoever waits hears of the end of the process that owed it, at that moment (rule 31). */
function checkExits(
  { ends, truth }: TeamWorld,
  { debt }: DebtAccount,
  all: readonly Message[],
): readonly string[] {
  const { debtor, creditor, givenAt, endedAt = Number.POSITIVE_INFINITY } = debt;
  return ends.flatMap(({ agent, at, cause }) => {
    if (agent !== debtor || cause !== 'exit' || givenAt >= at || endedAt < at) return [];
    truth.judged.note('rule 31: the exit of a debtor');
    const isTold = all.some(
      ({ kind, outcome, from, to, createdAt }) =>
        kind === 'completion' &&
        outcome === 'exited' &&
        from === debtor &&
        to === creditor &&
        createdAt === at,
    );
    return isTold ? [] : ['rule 31: its worker ended, and nobody was told'];
  });
}

/** The task, and what reminds of it. */
function listNames(debt: DebtAccount['debt'], all: readonly Message[]): readonly string[] {
  const reminders = all.filter(({ key }) => key === reminderKey(debt)).map(({ id }) => id);
  return [debt.task, ...reminders];
}

function knowsHeld({ agents }: TeamWorld, { agent }: TrueStop): boolean {
  const kind = agents.find(({ id }) => id === agent)?.kind;
  return kind !== undefined && tellingOf(kind).knowsHeld === true;
}

/**
 * The report itself says that it held the task, or what reminds of it; or the ledger knows of the
 * one that it held.
 */
function isKnownHeld(world: TeamWorld, { tries, reminder }: DebtAccount, stop: TrueStop): boolean {
  const both = reminder ? [tries, reminder] : [tries];
  if (knowsHeld(world, stop))
    return both.some(({ claims }) => claims.some(({ mark }) => stop.marks.includes(mark)));
  return both.some(
    (each) => isHeldBy(world, [each.id], stop, 'certainly') && isKnownIn(each, stop.endedAt),
  );
}

/**
 * The turn was given another task, or is believed to have been, and may not have been given this
 * one since it stopped last: its words are about that (rule 27).
 */
function isOfAnother(
  { truth }: TeamWorld,
  { task, tries, reminder }: DebtAccount,
  accounts: readonly DebtAccount[],
  { marks, n, text }: TrueStop,
): boolean {
  const all = accounts.filter((other) => other.task.id !== task.id);
  const others = all.map((other) => other.task.id);
  const isBelieved = all.some(({ endedBy }) => endedBy?.body === text);
  const isGiven = truth.landings.some(
    ({ entry }) => marks.includes(entry.mark) && entry.copies.some(({ id }) => others.includes(id)),
  );
  const claims = [...tries.claims, ...(reminder?.claims ?? [])];
  return (isGiven || isBelieved) && !(n === 1 && claims.some(({ mark }) => marks.includes(mark)));
}

function name({ agent, turn, n }: TrueStop): string {
  return `turn ${turn}.${n} of ${agent}`;
}

function tell(what: string, { task, debt, endedBy }: DebtAccount): string {
  const { debtor, creditor, givenAt, endedAt, end, remindedAt, toldAt } = debt;
  const times = JSON.stringify({ givenAt, endedAt, end, remindedAt, toldAt });
  const by = endedBy
    ? `${endedBy.id} ${endedBy.kind} "${endedBy.body}" ${endedBy.turn}`
    : 'nothing';
  return `${what}: ${task.id} (${task.state}) of ${creditor} for ${debtor}\n    ${times} by ${by}`;
}
