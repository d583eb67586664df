import type { Mutant } from '../mutants.ts';

const settle = 'src/delivery/settle-debt.ts';
const remind = 'src/delivery/remind-debtor.ts';
const endTurn = 'src/fleet/end-turn.ts';
const complete = 'src/fleet/complete-turn.ts';

/** Small wrong changes of what tasks, answers and turn ends are about: the storms of debts must find them. */
export const debtMutants: readonly Mutant[] = [
  {
    rule: '26',
    name: 'a stop that the CLI tells again is told again',
    file: endTurn,
    from: 'return isKnown ? undefined : remember(stop.stop);',
    to: 'return isKnown ? stop.stop + 100 : remember(stop.stop);',
  },
  {
    rule: '26',
    name: 'a turn answers whatever was given, whichever marks it held',
    file: endTurn,
    from: "if (held && route !== 'pull') return held.includes(mark);",
    to: "if (held && route !== 'pull') return isIn;",
  },
  {
    rule: '26',
    name: 'the call of a hook that was heard is written down once more',
    file: endTurn,
    from: 'if (report !== undefined && (await tx.turns.hasReport(child, { session, turn: id }, report)))',
    to: 'if (report === child)',
  },
  {
    rule: '26',
    name: 'an end that is told late answers what was sent since',
    file: endTurn,
    from: 'return isIn && !isLater(at, endedAt, now);',
    to: 'return isIn && !isLater(at, undefined, now);',
  },
  {
    rule: '27',
    name: 'a turn that failed or was interrupted answers',
    file: complete,
    from: "if (outcome !== 'completed' || summary.trim() === '') return [];",
    to: "if (summary.trim() === '') return [];",
  },
  {
    rule: '27',
    name: 'a turn without words answers',
    file: complete,
    from: "if (outcome !== 'completed' || summary.trim() === '') return [];",
    to: "if (outcome !== 'completed') return [];",
  },
  {
    rule: '30',
    name: 'a worker that waits for others answers',
    file: complete,
    from: 'if (below.some(isAwaited)) return [];',
    to: 'below.length = 0;',
  },
  {
    rule: '30',
    name: 'a task whose question is open is answered by the end of the turn',
    file: complete,
    from: 'const due = held.filter(({ askedBy }) => askedBy === undefined);',
    to: 'const due = held;',
  },
  {
    rule: '27',
    name: 'tasks that an earlier turn held stay open',
    file: settle,
    from: 'if (isRead && (await isOfConversation(tx, debtor, attempt, session))) return true;',
    to: '',
  },
  {
    rule: '27',
    name: 'a task that left the conversation is answered there',
    file: settle,
    from: "if (state === 'queued' || state === 'claimed') return false;",
    to: '',
  },
  {
    rule: '30',
    name: 'nobody is reminded',
    file: remind,
    from: 'if (debt.remindedAt === undefined) await insertReminder(tx, clock.now(), debt);',
    to: 'if (debt.remindedAt === undefined) return;',
  },
  {
    rule: '30',
    name: 'the giver is not told that no answer came',
    file: remind,
    from: 'else await tellCreditor(tx, clock.now(), debt);',
    to: '',
  },
  {
    rule: '30',
    name: 'a worker that waits for others is reminded',
    file: remind,
    from: 'if ((await tx.debts.listOwedTo(debtor)).some(isAwaited)) return undefined;',
    to: '',
  },
  {
    rule: '30',
    name: 'a worker whose own worker was given up waits for it for ever',
    file: settle,
    from: 'return toldAt === undefined && askedBy === undefined;',
    to: 'return true;',
  },
  {
    rule: '6, 30',
    name: 'an API that keeps failing wakes the supervisor each time',
    file: complete,
    from: "if (outcome !== 'failed') return false;",
    to: "if (outcome !== 'waiting') return false;",
  },
  {
    rule: '31',
    name: 'the end of a process ends no debt',
    file: 'src/fleet/end-life.ts',
    from: "return cause === 'removed' ? listBegunDebts(tx, id) : tx.debts.listOwedBy(id);",
    to: 'return Promise.resolve([]);',
  },
];
