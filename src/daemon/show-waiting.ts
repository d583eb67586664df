import type { Announce } from '../fleet/parts.ts';
import type { Backend } from '../terminals/backend.ts';

/**
 * Tells the backends who waits for a person, so that somebody who is attached to one agent sees how
 * many others do. It hears what the fleet announces, and hands it on.
 */
export function showWaiting(announce: Announce, backends: () => readonly Backend[]): Announce {
  const waiting = new Set<string>();
  const note = (agent: string, waits: boolean): void => {
    if (waiting.has(agent) === waits) return;
    if (waits) waiting.add(agent);
    else waiting.delete(agent);
    for (const backend of backends()) backend.reportWaiting?.(new Set(waiting));
  };
  return {
    ...announce,
    status: (agent, view) => {
      announce.status(agent, view);
      note(agent.id, view.status === 'waiting');
    },
    exited: (agent, exit) => {
      announce.exited(agent, exit);
      note(agent.id, false);
    },
    removed: (agent) => {
      announce.removed(agent);
      note(agent.id, false);
    },
  };
}
