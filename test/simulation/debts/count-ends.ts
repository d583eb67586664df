import type { DebtEnd } from '../../../src/messages/debt.ts';
import { explainOpen, listMessages, readAccounts } from './accounts.ts';
import type { Counted } from './tally.ts';
import type { TeamWorld } from './world.ts';

const open = {
  told: 'open: told',
  asked: 'open: a question waits for its answer',
  'giver gone': 'open: its giver is gone',
  'waits below': 'open: waits below',
} as const;

/** What became of the tasks of one storm, by the kind of worker that had them. */
export async function countEnds(world: TeamWorld): Promise<void> {
  const { tally, truth } = world;
  const accounts = await readAccounts(world);
  const all = await listMessages(world);
  for (const account of accounts) {
    const { debt, endedBy } = account;
    const kind = world.kindOf(debt.debtor);
    const why = explainOpen(world, account, accounts);
    if (why !== undefined && why !== 'ended') tally.note(kind, open[why]);
    if (debt.end !== undefined) tally.note(kind, nameEnd(debt.end, endedBy?.kind));
    if (debt.remindedAt !== undefined) tally.note(kind, 'reminders');
    const isMarked = truth.landings.some(({ agent, entry }) => {
      const copy = entry.copies.find(({ id }) => id === endedBy?.id);
      return agent === debt.creditor && copy?.isRepeat === true;
    });
    if (debt.end === 'answered' && isMarked)
      tally.note(kind, 'answers that came marked as a repeat');
    const told = all.filter(({ kind: what, answersTask, from, replyTo }) => {
      const isWord = what === 'notice' && answersTask && from === 'agt_signalbox';
      return isWord && replyTo.includes(debt.task);
    });
    tally.note(kind, 'told that no answer came', told.length);
  }
}

function nameEnd(
  end: DebtEnd,
  by: string | undefined,
): Exclude<Counted, 'in vain at rest, at most (s)'> {
  if (end !== 'answered') return `ended: ${end}`;
  return by === 'completion' ? 'answered by the end of a turn' : 'answered in words';
}
