import type { Surroundings } from '../delivery/claim.ts';
import type { Bus } from '../events/bus.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { LaunchTarget } from '../fleet/launch-target.ts';
import type { Ledger } from '../store/ledger.ts';
import type { WorkerWatch } from './watch-workers.ts';

/** What work between agents is made of. */
export interface TeamParts {
  readonly ledger: Ledger;
  readonly surroundings: Surroundings;
  readonly bus: Bus;
  readonly fleet: Pick<Fleet, 'launch'>;
  /** Running children that one agent may have. */
  readonly breadth?: number;
  /** Ends workers, and brings them back. */
  readonly workers?: Pick<WorkerWatch, 'look'>;
  /** A profile or provider by its name, as seen from a folder; a fault that lists what there is. */
  readonly findTarget: (name: string, cwd: string) => Promise<LaunchTarget>;
  /** Of a provider: its CLI drops calls of tools that a person breaks off, and tells nobody. */
  readonly forgetsCalls?: (provider: string) => Promise<boolean>;
}
