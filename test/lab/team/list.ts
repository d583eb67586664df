import { assignCases } from './cases-assign.ts';
import { brokenCases } from './cases-broken.ts';
import { comesBackCases } from './cases-comes-back.ts';
import { daemonCases } from './cases-daemon.ts';
import { duringCases } from './cases-during.ts';
import { endCases } from './cases-ends.ts';
import { handoffCases, superviseCases } from './cases-handoff.ts';
import { interruptedCases } from './cases-interrupted.ts';
import { reportCases } from './cases-reports.ts';
import { sendCases } from './cases-send.ts';
import { standingCases } from './cases-standing.ts';
import type { TeamCase } from './team-case.ts';

/**
 * In the order in which they are tried: the first launches the worker that most of them work with.
 */
export const teamCases: readonly TeamCase[] = [
  ...handoffCases,
  ...sendCases,
  ...assignCases,
  ...standingCases,
  ...reportCases,
  ...superviseCases,
  ...comesBackCases,
  ...daemonCases,
  ...duringCases,
  ...brokenCases,
  ...interruptedCases,
  ...endCases,
];
