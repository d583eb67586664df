/** The checks of the account: each must have met a case, or it has proven nothing. */
export const checks = [
  'lost: an accepted message',
  'doubled: a further copy',
  'misplaced: a copy',
  'misplaced: a prompt with an envelope',
  'misplaced: a prompt of a person',
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
 * May be idle in runs of 10 s, as of `.ci/run`, in which the killer strikes a few times and a
 * person does a few things. A second copy takes a death between paste and proof, an attempt that
 * was not received one between claim and paste; a message is given up only after a first copy and
 * three marked ones, each lost in a death of its own.
 */
const rare: readonly Check[] = [
  'doubled: a further copy',
  'misplaced: a prompt of a person',
  'misplaced: a dialog',
  'ledger: dead',
  'ledger: an attempt that was not received',
];

/** A run of so many seconds gives every check something to judge. */
const enough = 60;

export function listDue(seconds: number): readonly Check[] {
  return checks.filter((check) => seconds >= enough || !rare.includes(check));
}
