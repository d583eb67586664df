/** The checks of the account: each must have met a case, or it has proven nothing. */
export const checks = [
  'lost: an accepted message',
  'doubled: a further copy',
  'misplaced: a copy',
  'misplaced: a prompt with an envelope',
  'misplaced: a prompt of the user, by us',
  'misplaced: a prompt of a person',
  'standing: a copy of a script’s message',
  'standing: a first copy of the user’s message',
  'misplaced: a dialog',
  'out of order: a first copy behind another',
  'ledger: dead',
  'ledger: sent, at the end',
  'ledger: an attempt that was received',
  'ledger: an attempt that was not received',
  'ledger: an attempt into a life that goes on',
  'ledger: a first attempt',
] as const;

export type Check = (typeof checks)[number];

/**
 * What every run meets, however short and however busy the machine: a run of 10 s, as of `.ci/run`,
 * in which the killer strikes a few times and a person does a few things, must not fail because
 * chance gave another check nothing to judge.
 */
const certain: readonly Check[] = [
  'lost: an accepted message',
  'misplaced: a copy',
  'misplaced: a prompt with an envelope',
  'ledger: an attempt that was received',
  'ledger: a first attempt',
];

/** A run of so many seconds gives every check something to judge. */
const enough = 60;

export function listDue(seconds: number): readonly Check[] {
  return seconds >= enough ? checks : certain;
}
