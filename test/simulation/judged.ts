/**
 * What storms are judged by. A check that meets no case finds nothing, whatever is broken: each of
 * these must have met some, over all storms of its kind.
 */
export const checks = {
  delivery: [
    'promise 2: an end',
    'promise 2: a bounce',
    'promise 3: copies of one message',
    'rule 6: proof',
    'rule 7: proof of an attempt',
    'rule 9: proof for an ended life',
    'rule 9: taken out by a person',
    'rule 13: a text of one size',
    'rule 13: a copy in a text',
    'rule 13: a pointer',
    'rule 13: a pointer left unread',
    'rule 13: a pointer named twice',
    'rule 15: first offers',
    'rule 15: first arrivals',
    'rule 16: a second confirmation',
    'rule 19: the last block',
    'rule 20: quiet turns',
    'rule 21: wakes under a small budget',
    'rule 21: a wake after another',
    'rule 21: free of a spent budget',
    'rule 24: a paste',
    'rule 24: an Enter',
    'rule 42: open at rest',
    'rule 42: behind another',
    'rule 42: beside a copy that was read',
    'rule 43: proof by records',
    'rule 44: an unknown status',
    'rule 50: read, in a strange form',
    'rule 53: deaf',
    'status: an act of the native route',
    'status: an answer to a waiting hook',
    'back-off: after a failure',
  ],
  debts: [
    'rule 26: answered by a turn',
    'rule 26: an end that was told',
    'rule 27: an answer that was given',
    'rule 27: a head',
    'rule 30: open debts without a reply',
    'rule 30: answered',
    'rule 30: a reminder',
    'rule 30: a failure after a failure',
    'rule 30: a completion about an answered task',
    'rule 30: owed at rest',
    'rule 31: an end or its want that was told',
    'rule 31: the exit of a debtor',
    'a question that waits',
  ],
} as const;

/** In so few storms that their absence says nothing where there are not many. */
const rare: readonly Check[] = [
  'rule 9: taken out by a person',
  'rule 13: a pointer left unread',
  'rule 13: a pointer named twice',
  'rule 21: wakes under a small budget',
  'rule 30: a failure after a failure',
  'rule 42: behind another',
  'back-off: after a failure',
  'a question that waits',
];

export type Check = (typeof checks)['delivery' | 'debts'][number];

/** The checks that must have met a case in storms of this kind. */
export function listDue(
  kind: keyof typeof checks,
  storms: 'few' | 'many' = 'many',
): readonly Check[] {
  return checks[kind].filter((check) => storms === 'many' || !rare.includes(check));
}
