import type { Failed } from '../protocol/agents.ts';
import { Fault } from '../shared/fault.ts';

/**
 * What became of each: one that fails keeps nobody else from being done, and hides nobody's result.
 */
export interface Several<T> {
  readonly done: readonly T[];
  readonly failed: readonly Failed[];
}

/**
 * `work` on all, at once. A bug is thrown when everybody has been served; who asked for one alone
 * gets that one's fault.
 */
export async function forEach<A extends { readonly id: string; readonly name: string }, T>(
  agents: readonly A[],
  work: (agent: A) => Promise<T>,
): Promise<Several<T>> {
  const [only] = agents;
  if (only && agents.length === 1) return { done: [await work(only)], failed: [] };
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

function describe({ id, name }: { id: string; name: string }, fault: Fault): Failed {
  const { code, message, next } = fault;
  return { id, name, error: { code, message, next } };
}
