import type { Mutant } from './mutants.ts';

/** Of that which the checks read: without it they would find nothing to judge. */
export const historyMutants: readonly Mutant[] = [
  {
    rule: '9',
    name: 'what an ended life has read is called in context',
    file: 'src/delivery/prove.ts',
    from: 'const isLiving = claim.epoch === epoch && life?.endedAt === undefined;',
    to: 'const isLiving = claim.epoch <= epoch;',
  },
  {
    rule: '9',
    name: 'no row of a history says that a life ended',
    file: 'src/fleet/epochs.ts',
    from: "code: 'life-ended'",
    to: "code: 'lost-sight'",
  },
  {
    rule: '7, 9',
    name: 'proof is put down to the attempt that came last',
    file: 'src/delivery/prove.ts',
    from: '      about: claim.token,\n',
    to: '',
  },
  {
    rule: '43',
    name: 'no row of a history says that records have proven it',
    file: 'src/delivery/prove.ts',
    from: "code: 'read',",
    to: "code: 'output-followed',",
  },
  {
    rule: '17',
    name: 'an answer in another conversation counts for what was taken in the one before',
    file: 'src/fleet/keep-conversation.ts',
    from: '    await leaveHandedOut(tx, clock.now(), agent);\n',
    to: '',
  },
];
