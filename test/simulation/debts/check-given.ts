import { isOurs } from '../truth.ts';
import {
  type DebtAccount,
  findBelow,
  findQuestion,
  isGone,
  isHeldBy,
  isKnownIn,
  listNames,
  name,
  type Tries,
} from './accounts.ts';
import { tellingOf } from './tellings.ts';
import type { TrueStop } from './turn-book.ts';
import type { TeamWorld } from './world.ts';

/** Every answer that was given counts, and the first one does. */
export function checkGiven(
  world: TeamWorld,
  account: DebtAccount,
  accounts: readonly DebtAccount[],
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
      isHeldBy(world, listNames(account), stop, 'certainly') &&
      isKnownHeld(world, account, stop) &&
      !isOfAnother(world, account, accounts, stop) &&
      !findBelow(accounts, worker.id, stop.endedAt, 'possibly') &&
      !findQuestion(world, task.id, stop.endedAt, 'possibly'),
  );
  if (!given || given.isLost || given.epoch !== worker.epoch) return [];
  const told = world.book.findByText(endedBy?.body ?? '');
  if (told && told !== given && isExcused(world, account, accounts, given, told)) return [];
  // Its end was told late: it was asked for once more before that, and answered.
  if (debt.end === 'answered' && debt.remindedAt !== undefined) return [];
  world.truth.judged.note('rule 27: an answer that was given');
  if (debt.end !== 'answered') return [`rule 30: ${name(given)} answered it in vain`];
  return endedBy?.body === given.text
    ? []
    : [`rule 27: ${name(given)} answered it, and its giver got "${endedBy?.body}"`];
}

/**
 * Why the words of another turn than the first one that could answer may have become the answer.
 */
function isExcused(
  world: TeamWorld,
  account: DebtAccount,
  accounts: readonly DebtAccount[],
  given: TrueStop,
  told: TrueStop,
): boolean {
  const { task, debt } = account;
  const at = debt.endedAt ?? 0;
  // It asked, had its answer, and only then its end was told: nobody can tell any more that the
  // words came before that.
  const question = findQuestion(world, task.id, told.endedAt, 'possibly');
  if (question?.heardAt !== undefined && question.heardAt <= at) return true;
  if (knowsHeld(world, told)) return false;
  // Nobody listened to the hook of the first turn, which wrote its end down after the next one's.
  if (told.endedAt > given.endedAt) return isToldBefore(told, given);
  // An earlier turn held it, and held another task, too, of which nothing but proof could tell:
  // there is none, or it came later.
  return (
    isHeldBy(world, listNames(account), told, 'certainly') &&
    isKnownHeld(world, account, told) &&
    !listGiven(world, account, accounts, told).some((tries) => isKnownIn(tries, at))
  );
}

function isToldBefore({ toldAt }: TrueStop, other: TrueStop): boolean {
  return toldAt !== undefined && other.toldAt !== undefined && toldAt < other.toldAt;
}

function knowsHeld({ agents }: TeamWorld, { agent }: TrueStop): boolean {
  const kind = agents.find(({ id }) => id === agent)?.kind;
  return kind !== undefined && tellingOf(kind).knowsHeld === true;
}

/**
 * The report itself says that it held the task, or what reminds of it; or the ledger knows of the
 * one that it held, and that it is still there.
 */
function isKnownHeld(world: TeamWorld, { tries, reminder }: DebtAccount, stop: TrueStop): boolean {
  const both = reminder ? [tries, reminder] : [tries];
  if (knowsHeld(world, stop))
    return both.some(({ claims }) => claims.some(({ mark }) => stop.marks.includes(mark)));
  return both.some(
    (each) =>
      isHeldBy(world, [each.id], stop, 'certainly') &&
      isKnownIn(each, stop.endedAt) &&
      isKnownKept(world, each, stop),
  );
}

/**
 * Whether it can be known that the CLI did not drop it with the turn that brought it: by its
 * records, which tell of what has a mark and not of what the agent took with a tool; or because
 * that turn ended well (rule 30), or failed where nothing has a mark.
 */
function isKnownKept(world: TeamWorld, { id }: Tries, stop: TrueStop): boolean {
  const { agents, truth, book } = world;
  const hasProof = agents.find((agent) => agent.id === stop.agent)?.kind.hasProof === true;
  return truth.landings.slice(0, stop.landings).some(({ agent, entry }, i) => {
    if (agent !== stop.agent || entry.conversation !== stop.conversation) return false;
    if (entry.removed || !entry.copies.some((copy) => copy.id === id)) return false;
    const isMarked = isOurs(entry);
    const own = book.stops.find((each) => each.agent === agent && each.landings > i);
    if (own?.turn === stop.turn || (isMarked && hasProof)) return true;
    if (own?.outcome === 'completed') return !isToldLate(world, own);
    return isMarked && own?.outcome === 'failed';
  });
}

/**
 * Its hook, which dates nothing, was heard when the next turn had begun: whether it told the end of
 * this one, or of that one after somebody had broken this one off, nobody could say.
 */
function isToldLate({ book }: TeamWorld, { agent, turn, toldAt }: TrueStop): boolean {
  const next = book.stops.find((stop) => stop.agent === agent && stop.turn > turn);
  return next !== undefined && toldAt !== undefined && next.begunAt <= toldAt;
}

/**
 * The turn was given another task, or asked for one, or is believed to have been, and may not have
 * been given this one since it stopped last: its words are about that (rule 27).
 */
function isOfAnother(
  world: TeamWorld,
  account: DebtAccount,
  accounts: readonly DebtAccount[],
  stop: TrueStop,
): boolean {
  const { task, tries, reminder, endedBy } = account;
  const { marks, n, text } = stop;
  // One that answered this one as well was about all that it held.
  const isBelieved =
    endedBy?.body !== text &&
    accounts.some((other) => other.task.id !== task.id && other.endedBy?.body === text);
  const isGiven = listGiven(world, account, accounts, stop).length > 0;
  const claims = [...tries.claims, ...(reminder?.claims ?? [])];
  return (isGiven || isBelieved) && !(n === 1 && claims.some(({ mark }) => marks.includes(mark)));
}

/**
 * Other tasks that this turn was given, or took itself, and what reminded it of others that were
 * still owed.
 */
function listGiven(
  { truth }: TeamWorld,
  { task }: DebtAccount,
  accounts: readonly DebtAccount[],
  { agent, landingsBefore, landings, endedAt }: TrueStop,
): readonly Tries[] {
  const entered = truth.landings
    .slice(landingsBefore, landings)
    .filter((one) => one.agent === agent)
    .flatMap(({ entry }) => entry.copies.map(({ id }) => id));
  const others = accounts.filter((other) => other.task.id !== task.id);
  const owed = others.filter(({ debt }) => (debt.endedAt ?? endedAt) >= endedAt);
  const reminders = owed.flatMap(({ reminder }) => (reminder ? [reminder] : []));
  return [...others.map(({ tries }) => tries), ...reminders].filter(({ id }) =>
    entered.includes(id),
  );
}
