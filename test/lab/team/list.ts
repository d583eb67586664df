import { assignCases } from './cases-assign.ts';
import { endCases } from './cases-ends.ts';
import { handoffCases, superviseCases } from './cases-handoff.ts';
import { sendCases } from './cases-send.ts';
import type { TeamCase } from './team-case.ts';

/** The nine, in the order in which they are tried: the first launches the worker that most of them work with. */
export const teamCases: readonly TeamCase[] = [
  ...handoffCases,
  ...sendCases,
  ...assignCases,
  ...superviseCases,
  ...endCases,
];
