import { userAgentId } from '../../../src/agents/agent.ts';
import { reminderKey } from '../../../src/delivery/settle-debt.ts';
import type { Message } from '../../../src/messages/message.ts';
import { check } from '../check.ts';
import {
  type DebtAccount,
  explainOpen,
  findAwaited,
  findQuestion,
  isGone,
  isHeldBy,
  isMistaken,
  listMessages,
  listNames,
  name,
  readAccounts,
} from './accounts.ts';
import { checkCompletions } from './check-completions.ts';
import { checkGiven } from './check-given.ts';
import { tellingOf } from './tellings.ts';
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
      ...checkGiven(world, account, accounts),
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
  const isHeld = isHeldBy(world, listNames(account), stop, 'possibly');
  if (!isHeld && !isMistaken(world, account, stop))
    broken.push(`rule 26: answered by ${name(stop)}, which did not hold it`);
  const worker = world.agents.find(({ id }) => id === debt.debtor);
  // The screen alone shows a rest, and not when it began: what counts is when it was looked at.
  const isShown = worker !== undefined && tellingOf(worker.kind).source === 'status';
  const at = isShown ? (debt.endedAt ?? stop.endedAt) : stop.endedAt;
  const moment = { at, toldAt: debt.endedAt };
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
  const { debtor, creditor, givenAt, end, endedAt = Number.POSITIVE_INFINITY } = debt;
  return ends.flatMap(({ agent, at, cause }) => {
    // An answer that was just being written down was kept before the life ended, by the same clock.
    const isOver = endedAt < at || (endedAt === at && end === 'answered');
    if (agent !== debtor || cause !== 'exit' || givenAt >= at || isOver) return [];
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

function tell(what: string, { task, debt, endedBy }: DebtAccount): string {
  const { debtor, creditor, givenAt, endedAt, end, remindedAt, toldAt } = debt;
  const times = JSON.stringify({ givenAt, endedAt, end, remindedAt, toldAt });
  const by = endedBy
    ? `${endedBy.id} ${endedBy.kind} "${endedBy.body}" ${endedBy.turn}`
    : 'nothing';
  return `${what}: ${task.id} (${task.state}) of ${creditor} for ${debtor}\n    ${times} by ${by}`;
}
