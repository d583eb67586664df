import type { Surroundings } from '../delivery/claim.ts';
import type { Bus } from '../events/bus.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { LaunchTarget } from '../fleet/launch-target.ts';
import type { Ledger } from '../store/ledger.ts';

/** What work between agents is made of. */
export interface TeamParts {
  readonly ledger: Ledger;
  readonly surroundings: Surroundings;
  readonly bus: Bus;
  readonly fleet: Pick<Fleet, 'launch'>;
  /** A profile or provider by its name, as seen from a folder; a fault that lists what there is. */
  readonly findTarget: (name: string, cwd: string) => Promise<LaunchTarget>;
  /** Of a provider: its CLI drops calls of tools that a person breaks off, and tells nobody. */
  readonly forgetsCalls?: (provider: string) => Promise<boolean>;
}
