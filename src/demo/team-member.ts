import type { AgentView } from '../protocol/agents.ts';
import type { TeamSight } from './moment.ts';
import type { Observer } from './observer.ts';

/** What signalbox says of each agent, beside what its program says that it does. */
export function describeTeam(agents: readonly AgentView[], observer: Observer): TeamSight {
  return {
    what: 'team',
    agents: agents.map(({ name, status, detail = '', parent, owes = [] }) => {
      const does = status === 'exited' ? '' : observer.doing(name);
      const creditors = [...new Set(owes.map(({ to }) => to.name))];
      const isChild = parent !== undefined;
      return { name, status, detail, isChild, owes: creditors, does };
    }),
    sent: observer.sending.length,
    received: new Set(observer.received.map(({ text }) => text).filter(Boolean)).size,
    repeats: observer.repeats,
  };
}
