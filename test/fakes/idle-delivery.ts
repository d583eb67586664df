import { nothingOnRecord } from '../../src/delivery/on-record.ts';
import type { FleetParts } from '../../src/fleet/parts.ts';

/** Carries nothing: for tests of the fleet alone. */
export const idleDelivery: FleetParts['delivery'] = {
  attach: () => undefined,
  detach: async () => undefined,
  look: () => undefined,
  whenCarried: async () => undefined,
  readOnRecord: async () => nothingOnRecord,
  turnEnded: async () => undefined,
  submitted: async () => undefined,
};
