import type { AgentName, Failed } from '../protocol/agents.ts';
import { Fault } from '../shared/fault.ts';

/**
 * What became of each: one that fails keeps nobody else from being done, and hides nobody's result.
 */
export interface Several<T> {
  readonly done: readonly T[];
  readonly failed: readonly Failed[];
}

/**
 * `work` on all, at once. A bug is thrown when everybody has been served. Somebody who named one
 * agent gets that agent's fault; of `--all` and `--session` it is one of several that failed.
 */
export async function forEach<A extends AgentName, T>(
  agents: readonly A[],
  work: (agent: A) => Promise<T>,
  { isNamed = true }: { readonly isNamed?: boolean } = {},
): Promise<Several<T>> {
  const [only] = agents;
  if (only && isNamed && agents.length === 1) return { done: [await work(only)], failed: [] };
  const done: T[] = [];
  const failed: Failed[] = [];
  let bug: unknown;
  await Promise.all(
    agents.map(async (agent) => {
      try {
        done.push(await work(agent));
      } catch (error) {
        if (!(error instanceof Fault)) bug ??= error;
        else failed.push(describe(agent, error));
      }
    }),
  );
  if (bug !== undefined) throw bug;
  return { done, failed };
}

function describe(agent: AgentName, fault: Fault): Failed {
  const { id, name, session, namesakes } = agent;
  const { code, message, next } = fault;
  return {
    ...{ id, name, error: { code, message, next } },
    ...(session === undefined ? {} : { session }),
    ...(namesakes ? { namesakes } : {}),
  };
}
