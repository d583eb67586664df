import type { Random } from '../torture/random.ts';

/**
 * What may go wrong in one world. Each world has some of it: faults that always come together hide
 * each other.
 */
export interface Faults {
  readonly daemonDies: boolean;
  readonly agentsDie: boolean;
  readonly routesLie: boolean;
  readonly routesRefuse: boolean;
  readonly hooksFail: boolean;
  /** What wakes agents is killed, alone. */
  readonly channelsDie: boolean;
  readonly lateEvidence: boolean;
  readonly brokenEvidence: boolean;
  readonly modelFails: boolean;
  readonly peopleInterrupt: boolean;
  readonly peopleType: boolean;
  readonly peopleClear: boolean;
  readonly dialogs: boolean;
  readonly pullersDie: boolean;
  readonly wallJumps: boolean;
  readonly removal: boolean;
}

export function chooseFaults(random: Random): Faults {
  const some = (share = 0.5): boolean => random.chance(share);
  return {
    daemonDies: some(0.7),
    agentsDie: some(),
    routesLie: some(),
    routesRefuse: some(),
    hooksFail: some(),
    channelsDie: some(),
    lateEvidence: some(0.4),
    brokenEvidence: some(0.3),
    modelFails: some(0.4),
    peopleInterrupt: some(0.5),
    peopleType: some(),
    peopleClear: some(0.4),
    dialogs: some(),
    pullersDie: some(),
    wallJumps: some(0.1),
    removal: some(0.15),
  };
}
