import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { attachedPath, type Folders } from '../config/folders.ts';
import { parseObject } from '../shared/json.ts';

/** Wall time at which the user last left for each agent's terminal, by the agent's id. */
export type Visits = Readonly<Record<string, number>>;

export interface WaitingAgent {
  readonly id: string;
  /** Wall time at which it began to wait. */
  readonly since: number;
}

/**
 * Whom `attach --next` means, in this order: the agent that waits longest, of those at which nobody
 * has looked since they began to wait; then the one at which somebody looked longest ago. So a
 * question that the user leaves open holds up no other one, and comes again.
 */
export function orderNext<Agent extends WaitingAgent>(
  waiting: readonly Agent[],
  visits: Visits,
): readonly Agent[] {
  const visitOf = ({ id, since }: Agent): number => {
    const at = visits[id] ?? 0;
    return at >= since ? at : 0;
  };
  const order = (a: Agent, b: Agent): number => visitOf(a) - visitOf(b) || a.since - b.since;
  return waiting.toSorted(order);
}

/** A file that is missing or damaged costs the order alone. */
export function readVisits(folders: Folders): Visits {
  try {
    const noted = parseObject(readFileSync(attachedPath(folders), 'utf8')) ?? {};
    const pairs = Object.entries(noted).flatMap(([id, at]) =>
      typeof at === 'number' ? [[id, at] as const] : [],
    );
    return Object.fromEntries(pairs);
  } catch {
    // There is none yet, or nobody may read it: everybody is new.
    return {};
  }
}

/** Those of agents that wait no longer are dropped. */
export function noteVisit(
  folders: Folders,
  agent: string,
  { now, waiting }: { readonly now: number; readonly waiting: readonly WaitingAgent[] },
): void {
  const known = new Set(waiting.map(({ id }) => id));
  const kept = Object.entries(readVisits(folders)).filter(([id]) => known.has(id));
  const path = attachedPath(folders);
  const draft = `${path}.new-${process.pid}`;
  try {
    writeFileSync(draft, `${JSON.stringify({ ...Object.fromEntries(kept), [agent]: now })}\n`, {
      mode: 0o600,
    });
    renameSync(draft, path);
  } catch {
    // The disk is full, say: the user goes there all the same, and `--next` may name it once more.
  }
}
