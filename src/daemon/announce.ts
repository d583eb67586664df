import type { Bus } from '../events/bus.ts';
import type { Announce } from '../fleet/parts.ts';

/** What the fleet tells, as events. */
export function announceOn(bus: Bus): Announce {
  return {
    launched: ({ id, name, epoch }) =>
      bus.publish({ kind: 'launched', agent: id, data: { name, epoch } }),
    status: ({ id, name }, view) =>
      bus.publish({ kind: 'status', agent: id, data: { name, ...view } }),
    exited: ({ id, name, epoch }, exit) =>
      bus.publish({ kind: 'exited', agent: id, data: { name, epoch, ...exit } }),
    rehomed: ({ id, name, epoch }) =>
      bus.publish({ kind: 'rehomed', agent: id, data: { name, epoch } }),
    removed: ({ id, name, epoch }) =>
      bus.publish({ kind: 'removed', agent: id, data: { name, epoch } }),
    output: (agent, bytes) => bus.publish({ kind: 'output', agent, data: { bytes } }),
  };
}
