import type { AgentView } from '../protocol/agents.ts';
import type { TeamSight } from './moment.ts';
import type { Observer } from './observer.ts';

/** What signalbox says of each agent, beside what its program says that it does. */
export function describeTeam(agents: readonly AgentView[], observer: Observer): TeamSight {
  return {
    what: 'team',
    agents: agents.map(({ name, status, detail = '', inbox, epoch }) => {
      const does = status === 'exited' ? '' : observer.doing(name);
      return { name, status, detail, inbox, epoch, does };
    }),
    accepted: new Set(observer.accepted.map(({ id }) => id)).size,
    received: new Set(observer.received.map(({ id }) => id)).size,
    repeats: observer.repeats,
  };
}
