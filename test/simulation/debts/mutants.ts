import type { Mutant } from '../mutants.ts';

const settle = 'src/delivery/settle-debt.ts';
const held = 'src/delivery/held-debts.ts';
const remind = 'src/delivery/remind-debtor.ts';
const endTurn = 'src/fleet/end-turn.ts';
const complete = 'src/fleet/complete-turn.ts';
const settledBy = 'src/fleet/settled-by-turn.ts';
const watch = 'src/fleet/watch-turns.ts';
const tell = 'src/delivery/tell-sender.ts';

/**
 * Small wrong changes of what tasks, answers and turn ends are about: the storms of debts must find
 * them.
 */
export const debtMutants: readonly Mutant[] = [
  {
    rule: '26',
    name: 'a stop that the CLI tells again is told again',
    file: endTurn,
    from: 'return isKnown ? undefined : remember(stop.stop);',
    to: 'return remember(stop.stop + 100 * (await tx.turns.countStops(child, session)));',
    // It is known before anything is written, too.
    also: {
      from: 'if (stop.stop !== undefined)\n      return',
      to: 'if (stop.stop !== undefined) return true;\n    if (stop.stop !== undefined)\n      return',
    },
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
    from: 'return (isIn || isPasted) && !isLater(at, endedAt, now);',
    to: 'return (isIn || isPasted) && !isLater(at, undefined, now);',
  },
  {
    rule: '27',
    name: 'a turn that failed or was interrupted answers',
    file: settledBy,
    from: "if (outcome !== 'completed' || summary.trim() === '') return [];",
    to: "if (summary.trim() === '') return [];",
  },
  {
    rule: '27',
    name: 'a turn without words answers',
    file: settledBy,
    from: "if (outcome !== 'completed' || summary.trim() === '') return [];",
    to: "if (outcome !== 'completed') return [];",
  },
  {
    rule: '30',
    name: 'a worker that waits for others answers',
    file: settledBy,
    from: 'if (below.some(isAwaited)) return [];',
    to: 'below.length = 0;',
  },
  {
    rule: '30',
    name: 'a task whose question is open is answered by the end of the turn',
    file: settledBy,
    from: 'askedBy === undefined && (about.size === 0 || about.has(task))',
    to: '(about.size === 0 || about.has(task))',
  },
  {
    rule: '27',
    name: 'tasks that an earlier turn held stay open',
    file: held,
    from: 'if (isRead && (await isOfConversation(tx, debtor, attempt, by.turn?.session))) return true;',
    to: '',
  },
  {
    rule: '27',
    name: 'a task that left the conversation is answered there',
    file: held,
    from: "if (state === 'queued' || state === 'claimed') return false;",
    to: '',
  },
  {
    rule: '9, 27',
    name: 'a task that the CLI dropped with an interrupted turn is answered by the next one',
    file: held,
    from: 'if (by.onRecord && !(await isKept(tx, debtor, attempt, by.onRecord, by))) continue;',
    to: '',
  },
  {
    rule: '9, 27',
    name: 'a turn answers what was taken out before it began, if nobody heard of that',
    file: endTurn,
    from: "if (outcome !== 'completed' || held) return among;",
    to: "if (outcome !== 'waiting') return among;",
  },
  {
    rule: '30',
    name: 'nobody is reminded',
    file: remind,
    from: 'if (debt.remindedAt === undefined) await insertReminder(tx, clock.now(), debt, onRecord);',
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
  {
    rule: '26',
    name: 'an end that a hook wrote down while no daemon ran is told again by the next one',
    file: watch,
    from: 'if (last && isLater(last.at, this.#seenAt, now) && !this.#isAuthority()) return;',
    to: '',
  },
  {
    rule: '26',
    name: 'the ledger does not remember which stops were told',
    file: endTurn,
    from: 'await tx.turns.addStop(child, name(n));',
    to: '',
  },
  {
    rule: '26',
    name: 'a turn that ended before a task was sent answers it',
    file: held,
    from: 'if (isAfter?.(at)) return true;',
    to: '',
  },
  {
    rule: '26',
    name: 'a turn answers the task that waited behind it, when it is told after the one that held it',
    file: held,
    from: 'return holder !== undefined && isAfter(holder.at, roundedMs);',
    to: 'return holder === undefined;',
  },
  {
    rule: '26',
    name: 'an end is dated by when it was told',
    file: endTurn,
    from: 'const { report, endedAt: at = now } = stop;',
    to: 'const { report } = stop, at = now;',
  },
  {
    rule: '27',
    name: 'the answer to one giver settles the tasks of the others',
    file: complete,
    from: 'const settled = given.debts.filter(({ creditor }) => creditor === to);',
    to: 'const settled = given.debts;',
  },
  {
    rule: '27',
    name: 'a task is answered from another conversation',
    file: held,
    from: "if (held !== undefined && !held.startsWith('epoch-')) return held === session;",
    to: "if (held !== undefined && !held.startsWith('epoch-')) return true;",
  },
  {
    rule: '27',
    name: 'a stand-in keeps what another turn held',
    file: endTurn,
    from: "if (outcome !== 'waiting') await correctStandIn(",
    to: "if (outcome === 'waiting') await correctStandIn(",
  },
  {
    rule: '27',
    name: 'a turn answers what a stand-in took for its own',
    file: held,
    from: 'if (by.knowsHeld && isStoodIn(attempt, epoch)) continue;',
    to: '',
  },
  {
    rule: '27',
    name: 'a turn that was interrupted is told with the words of an earlier one',
    file: endTurn,
    from: "if (words === undefined || outcome === 'completed') return words;",
    to: 'if (child !== undefined) return words;',
  },
  {
    rule: '30',
    name: 'a word about something else answers a question',
    file: settle,
    from: "if (meant.includes(askedBy ?? '')) await",
    to: 'if (meant.length > 0) await',
  },
  {
    rule: '30',
    name: 'a question keeps nothing open',
    file: settle,
    from: 'await tx.debts.setAsked(id, question.id);',
    to: '',
  },
  {
    rule: '30',
    name: 'a question that was answered keeps its task open for ever',
    file: settle,
    from: 'await tx.debts.setAsked(task, undefined);',
    to: '{ }',
  },
  {
    rule: '30',
    name: 'a reply to a task does not settle it',
    file: settle,
    from: "if (debt?.debtor === reply.from) await endDebt(tx, now, debt, 'answered', reply);",
    to: '',
  },
  {
    rule: '30',
    name: 'others are waited for as of when an end is told, not as of the end',
    file: settledBy,
    from: 'return endedAt === undefined\n    ? (below ?? tx.debts.listOwedTo(child))',
    to: 'return endedAt === undefined || now > 0\n    ? tx.debts.listOwedTo(child)',
  },
  {
    rule: '30',
    name: 'the giver is told again and again that no answer came',
    file: remind,
    from: 'await tx.debts.setTold(task, id, now);',
    to: '',
  },
  {
    rule: '30',
    name: 'a worker is reminded again and again',
    file: remind,
    from: 'await tx.debts.setReminded(task, now);',
    to: '',
  },
  {
    rule: '30',
    name: 'that a turn is over wakes a giver that has its answer in words',
    file: complete,
    from: '(isToldBefore || (await isAnsweredInWords(tx, answered)))',
    to: 'isToldBefore',
  },
  {
    rule: '31',
    name: 'a task that cannot be delivered is owed for ever',
    file: tell,
    from: "if (debt && draft.kind === 'bounce') await endDebt(tx, now, debt, end, told);",
    to: '',
  },
  {
    rule: '31, 35',
    name: 'the giver of a task is told twice that its worker was removed',
    file: tell,
    from: "if (draft.kind === 'bounce' && ending?.kind === 'completion')",
    to: "if (draft.kind !== 'bounce' && ending?.kind === 'completion')",
  },
];
