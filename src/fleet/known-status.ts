import type { Agent } from '../agents/agent.ts';
import type { StatusView } from '../agents/status.ts';

/** What the ledger says of the time before a restart of the daemon. */
export function lastKnown({ status, detail, since }: Agent): Partial<StatusView> {
  return { status, since, ...(detail === undefined ? {} : { detail }) };
}

/** Of an agent that was found again nothing is known before the first look. */
export function unseen({ status, since }: Agent): StatusView {
  const base = { source: 'none', since, composer: 'unknown' } as const;
  if (status === 'starting') return { ...base, status };
  return { ...base, status: 'unknown', detail: 'not looked at yet' };
}

export function statusKey({ status, detail }: { status: string; detail?: string }): string {
  return `${status}/${detail ?? ''}`;
}

/** For whoever listens: the time alone is no news. */
export function isSameView(a: StatusView, b: StatusView): boolean {
  const isSameStatus = statusKey(a) === statusKey(b);
  return isSameStatus && a.composer === b.composer && a.question === b.question;
}
