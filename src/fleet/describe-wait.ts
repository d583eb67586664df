import type { Agent } from '../agents/agent.ts';

/**
 * What a queued message waits for, as far as it is known. `carrier` is what the daemon that runs
 * says of it; undefined when none runs. Undefined for an agent without a terminal: it takes its
 * messages itself.
 */
export function describeWait(
  { name, backend, status, detail }: Agent,
  carrier: { readonly waitsFor: string | undefined } | undefined,
): string | undefined {
  if (backend === 'none') return undefined;
  if (status === 'exited') {
    const how = detail === undefined ? '' : ` (${detail})`;
    return `${name} has exited${how}; it is held for its next start`;
  }
  if (!carrier) return 'no daemon runs that could carry it; `signalbox up` starts one';
  return carrier.waitsFor?.replace(/\.$/, '') ?? 'it is just being looked at';
}
