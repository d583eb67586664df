import { explainOpen, listMessages, readAccounts } from './accounts.ts';
import type { Counted } from './tally.ts';
import type { TeamWorld } from './world.ts';

const open = {
  told: 'open: told',
  asked: 'open: a question waits for its answer',
  'giver gone': 'open: its giver is gone',
  'waits below': 'open: waits below',
} as const;

/** What became of the tasks of one storm. */
export async function countEnds(world: TeamWorld): Promise<void> {
  const accounts = await readAccounts(world);
  for (const account of accounts) {
    const { debt, endedBy } = account;
    const why = explainOpen(world, account, accounts);
    if (why !== undefined && why !== 'ended') world.tally.note(open[why]);
    if (debt.end !== undefined) world.tally.note(nameEnd(debt.end, endedBy?.kind));
    if (debt.remindedAt !== undefined) world.tally.note('reminders');
  }
  const told = (await listMessages(world)).filter(({ kind, answersTask, from }) => {
    return kind === 'notice' && answersTask && from === 'agt_signalbox';
  });
  world.tally.note('told that no answer came', told.length);
}

function nameEnd(end: 'answered' | 'exited' | 'removed' | 'dead', by: string | undefined): Counted {
  if (end !== 'answered') return `ended: ${end}`;
  return by === 'completion' ? 'answered by the end of a turn' : 'answered in words';
}
