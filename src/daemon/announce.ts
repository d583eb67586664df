import type { Bus } from '../events/bus.ts';
import type { Announce } from '../fleet/parts.ts';

/** What the fleet tells, as events. */
export function announceOn(bus: Bus): Announce {
  return {
    launched: ({ id, name, session, epoch }) =>
      bus.publish({ kind: 'launched', agent: id, data: { name, session, epoch } }),
    status: ({ id, name, session }, view) =>
      bus.publish({ kind: 'status', agent: id, data: { name, session, ...view } }),
    exited: ({ id, name, session, epoch }, exit) =>
      bus.publish({ kind: 'exited', agent: id, data: { name, session, epoch, ...exit } }),
    rehomed: ({ id, name, session, epoch }) =>
      bus.publish({ kind: 'rehomed', agent: id, data: { name, session, epoch } }),
    removed: ({ id, name, session, epoch }) =>
      bus.publish({ kind: 'removed', agent: id, data: { name, session, epoch } }),
    output: (agent, bytes) => bus.publish({ kind: 'output', agent, data: { bytes } }),
  };
}
