/** The checks of the account: each must have met a case, or it has proven nothing. */
export const checks = [
  'lost: an accepted message',
  'lost: expired, its sender told',
  'lost: dead, its sender told',
  'doubled: a further copy',
  'doubled: a marked repeat',
  'doubled: a copy whose ack is known',
  'doubled: a copy where no drainer died',
  'doubled: a bounce',
  'misplaced: a message',
  'misplaced: a bounce or notice',
  'out of order: a first offer behind another',
  'out of order: a send after the answer of another',
  'ledger: acked',
  'ledger: expired',
  'ledger: dead',
  'ledger: bounced, then acked',
  'ledger: a bounce or notice that was taken',
  'ledger: a copy that it knows',
  'ledger: a state that doctor counts',
  'send: repeated after its commit',
  'send: repeated after a death before its commit',
  'send: refused, the recipient removed',
  'remove: a bounce of a message that nobody took',
  'drain: held past its lease',
] as const;

export type Check = (typeof checks)[number];

/**
 * Those that need a death, or a removal, at the right moment: the load goes on until each has met
 * a case, as it does for the windows.
 */
const awaited: readonly Check[] = [
  'send: repeated after its commit',
  'send: repeated after a death before its commit',
  'send: refused, the recipient removed',
  'remove: a bounce of a message that nobody took',
];

/**
 * What every run meets, however short and however busy the machine: a run of 20 s, as of `.ci/run`,
 * must not fail because chance gave another check nothing to judge.
 */
const certain: readonly Check[] = [
  'lost: an accepted message',
  'misplaced: a message',
  'out of order: a first offer behind another',
  'ledger: acked',
  'ledger: a copy that it knows',
  'ledger: a state that doctor counts',
];

/** A load of so many seconds gives every check something to judge. */
const enough = 60;

export function listDue(seconds: number): readonly Check[] {
  return seconds >= enough ? checks : certain;
}

export function listAwaited(seconds: number): readonly Check[] {
  return seconds >= enough ? awaited : [];
}
