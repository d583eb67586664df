import { userAgentId } from '../../agents/agent.ts';
import type { Awaitable } from '../../delivery/reach.ts';
import type { CancelView, Explanation, Looked, Waited } from '../../protocol/messages.ts';
import { systemClock } from '../../shared/clock.ts';
import type { DaemonLink } from './daemon-link.ts';

/** One poll; the daemon answers within it whatever happens. */
const pollMs = 25_000;

/**
 * Something was committed for this agent. Costs one request where a daemon runs, and starts one
 * where none does, unless it is for the user. Resolves with what is broken of that which wakes the
 * agent, if anything is.
 */
export async function look(link: DaemonLink, agent: string): Promise<string | undefined> {
  const request = { method: 'POST', path: `/agents/${encodeURIComponent(agent)}/look` } as const;
  if (agent === userAgentId) {
    // A view that is open has its daemon; for all others it is in the inbox.
    await link.askRunning<Looked>(request);
    return undefined;
  }
  // One that is just started looks by itself; one that another caller started a moment ago may have
  // looked already.
  const looked = (await link.askRunning<Looked>(request)) ?? (await link.ask<Looked>(request));
  return looked.broken;
}

/**
 * What a daemon that runs knows beyond the ledger: what a queued message waits for, or where one
 * that is on its way in stands.
 */
export async function explain(link: DaemonLink, known: Explanation): Promise<Explanation> {
  const path = `/messages/${encodeURIComponent(known.message.id)}`;
  return (await link.askRunning<Explanation>({ method: 'GET', path })) ?? known;
}

/** Of one that is on its way in. */
export function cancel(link: DaemonLink, id: string): Promise<CancelView> {
  const path = `/messages/${encodeURIComponent(id)}/cancel`;
  return link.ask({ method: 'POST', path, isSlow: true });
}

export interface Wait {
  readonly id: string;
  readonly state: Awaitable;
  readonly timeoutMs: number;
}

/**
 * Polls the daemon, which knows at once; without one, whoever is left waits by looking into the
 * ledger.
 */
export async function waitFor(
  link: DaemonLink,
  { id, state, timeoutMs }: Wait,
  withoutDaemon: (leftMs: number) => Promise<boolean>,
): Promise<boolean> {
  const endsAtMs = systemClock.monotonicMs() + timeoutMs;
  for (;;) {
    const leftMs = Math.max(0, endsAtMs - systemClock.monotonicMs());
    const query = `state=${state}&timeoutMs=${Math.ceil(Math.min(leftMs, pollMs))}`;
    const path = `/messages/${encodeURIComponent(id)}/wait?${query}`;
    const waited = await link.askRunning<Waited>({ method: 'GET', path, isSlow: true });
    if (!waited) return withoutDaemon(Math.max(0, endsAtMs - systemClock.monotonicMs()));
    if (waited.reached) return true;
    if (systemClock.monotonicMs() >= endsAtMs) return false;
  }
}
