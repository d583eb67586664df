import type { Agent } from './agent.ts';

/**
 * With what a worker that was launched for a task ends by itself: with that task, or with a long
 * rest. Of any other agent it is undefined: only somebody's word ends it.
 */
export type EndsWith = 'task' | 'rest';

/**
 * Who or what ended the last life of an agent. `task`: it was done; `rest`: it had rested for long;
 * `parent`: an agent above it stopped it; `person`: the user did, and it stays stopped.
 */
export type EndedBy = 'task' | 'rest' | 'parent' | 'person';

export const endsWithWords: readonly EndsWith[] = ['task', 'rest'];
export const endedByWords: readonly EndedBy[] = ['task', 'rest', 'parent', 'person'];

/** A word of its parent or of the user brings it back, with its conversation. */
export function comesBack(agent: Pick<Agent, 'endedBy'>): boolean {
  return agent.endedBy !== undefined && agent.endedBy !== 'person';
}

/** It ended by itself when nothing was left to do. */
export function endedItself({ endedBy }: Pick<Agent, 'endedBy'>): boolean {
  return endedBy === 'task' || endedBy === 'rest';
}

/**
 * Counts for the limit on children: it runs, or is being brought back. Those that only pull are
 * programs of somebody else, and cost us nothing.
 */
export function isAtWork({
  status,
  backend,
  calledBy,
}: Pick<Agent, 'status' | 'backend' | 'calledBy'>): boolean {
  return backend !== 'none' && (status !== 'exited' || calledBy !== undefined);
}
