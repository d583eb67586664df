import type { Message } from '../../../src/messages/message.ts';
import type { DebtAccount } from './accounts.ts';
import type { TeamWorld } from './world.ts';

/** What turn ends became: each told once, and headed as what it is (rules 26–28, 30). */
export function checkCompletions(
  world: TeamWorld,
  all: readonly Message[],
  accounts: readonly DebtAccount[],
): readonly string[] {
  const completions = all.filter(({ kind }) => kind === 'completion');
  return [
    ...checkTwice(world, completions),
    ...checkHeads(world, completions, accounts),
    ...checkFailures(world, completions),
    ...checkWords(world, completions, accounts),
  ];
}

/**
 * A stand-in may tell that a turn is over, and its authority then how well it ended; nothing else
 * tells one end twice.
 */
function checkTwice(world: TeamWorld, completions: readonly Message[]): readonly string[] {
  const told = new Map<string, Message>();
  const broken: string[] = [];
  for (const message of completions) {
    const { body, to, outcome } = message;
    const stop = world.book.findByText(body);
    if (!stop) continue;
    world.truth.judged.note('rule 26: an end that was told');
    const key = `${to} ${body}`;
    const first = told.get(key);
    if (first && (first.outcome === 'completed' || outcome !== 'completed'))
      broken.push(
        `rule 26: told twice: "${body}" to ${to}, as ${first.outcome} ${first.turn} and ${outcome} ${message.turn}`,
      );
    told.set(key, message);
  }
  return broken;
}

/**
 * Whatever says that it answers a task has settled it; and what has not, says what is still owed.
 */
function checkHeads(
  { truth }: TeamWorld,
  completions: readonly Message[],
  accounts: readonly DebtAccount[],
): readonly string[] {
  truth.judged.note('rule 27: a head', completions.length);
  const ending = new Set(accounts.map(({ debt }) => debt.endedBy));
  return completions.flatMap(({ id, answersTask, turn, owes = [] }) => {
    if (answersTask !== ending.has(id))
      return [`rule 27: ${id} (${turn}) ${answersTask ? 'answers' : 'ended'} a task wrongly`];
    const isBoth = accounts.some(({ debt }) => debt.endedBy === id && owes.includes(debt.task));
    return isBoth ? [`rule 27: ${id} (${turn}) says that it owes what it answers`] : [];
  });
}

/** An API that keeps failing wakes a supervisor once: one more failure about the same is quiet. */
function checkFailures({ truth }: TeamWorld, completions: readonly Message[]): readonly string[] {
  const last = new Map<string, Message>();
  const broken: string[] = [];
  for (const message of completions) {
    const key = `${message.child} ${message.to}`;
    const before = last.get(key);
    last.set(key, message);
    if (message.outcome !== 'failed' || before?.outcome !== 'failed') continue;
    truth.judged.note('rule 30: a failure after a failure');
    const known = [...before.replyTo, ...(before.owes ?? [])];
    const isNews = [...message.replyTo, ...(message.owes ?? [])].some((id) => !known.includes(id));
    const isInPlace = before.state === 'superseded';
    if (!isNews && !isInPlace && !message.isQuiet)
      broken.push(`a failing API woke ${message.to} again: ${message.id} (${message.turn})`);
  }
  return broken;
}

/**
 * Whoever has an answer in words is not woken once more because the turn that gave it is over
 * (rule 30).
 */
function checkWords(
  { truth }: TeamWorld,
  completions: readonly Message[],
  accounts: readonly DebtAccount[],
): readonly string[] {
  return completions.flatMap(({ id, turn, to, replyTo, createdAt, isQuiet, answersTask }) => {
    const about = accounts.filter(({ task }) => task.from === to && replyTo.includes(task.id));
    const isKnown = ({ debt, endedBy }: DebtAccount): boolean =>
      endedBy?.kind === 'message' && (debt.endedAt ?? createdAt) < createdAt;
    if (answersTask || about.length === 0 || !about.every(isKnown)) return [];
    truth.judged.note('rule 30: a completion about an answered task');
    if (isQuiet) return [];
    return [`rule 30: ${id} (${turn}) woke ${to}, which has its answer`];
  });
}
