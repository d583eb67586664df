import type { AgentView } from '../protocol/agents.ts';

/**
 * Workers that ended by themselves and have nothing to say are one line for their session; of them
 * a busy supervisor leaves dozens. What has mail, owes an answer, comes back or stands above an
 * agent that is shown keeps its row.
 */
export function partEnded(agents: readonly AgentView[]): {
  readonly shown: readonly AgentView[];
  readonly folded: readonly AgentView[];
} {
  const parents = new Map(agents.map(({ id, parent }) => [id, parent?.id]));
  const needed = new Set<string>();
  for (const agent of agents) {
    if (isQuietlyEnded(agent)) continue;
    // All above it; a circle, which the ledger refuses, would end here as well.
    for (let at = parents.get(agent.id); at !== undefined && !needed.has(at); at = parents.get(at))
      needed.add(at);
  }
  const isFolded = (agent: AgentView): boolean => isQuietlyEnded(agent) && !needed.has(agent.id);
  return {
    shown: agents.filter((agent) => !isFolded(agent)),
    folded: agents.filter(isFolded),
  };
}

/** It ended by itself, whatever waits for it now. */
export function hasEndedItself({ status, endedBy }: AgentView): boolean {
  return status === 'exited' && (endedBy === 'task' || endedBy === 'rest');
}

function isQuietlyEnded(agent: AgentView): boolean {
  const { inbox, owes = [], endingCode } = agent;
  const comes = endingCode === 'coming-back' || endingCode === 'no-room';
  const mail = inbox.queued + inbox.claimed + inbox.uncertain + inbox.dead;
  return hasEndedItself(agent) && !comes && mail + owes.length === 0;
}

export function describeFolded(folded: readonly AgentView[]): string {
  const n = folded.length;
  const isTask = folded.every(({ endedBy }) => endedBy === 'task');
  const [task, self] = n === 1 ? ['its task', 'itself'] : ['their tasks', 'themselves'];
  // With the command behind it within 60 columns.
  const how = isTask ? `ended with ${task}` : `ended by ${self}`;
  return `${n} ${n === 1 ? 'worker' : 'workers'} ${how} → signalbox ls --all`;
}
