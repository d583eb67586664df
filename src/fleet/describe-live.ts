import type { StatusView } from '../agents/status.ts';
import type { LiveAgent } from './fleet.ts';

interface Known {
  readonly providerVersion: string | undefined;
  readonly conversation: string | undefined;
  /** When a person typed in its terminal, as far as that is known. */
  readonly typed: Pick<LiveAgent, 'humanTypedAt'>;
  readonly notes: readonly string[];
}

/** Its status, with what else is known of it right now. */
export function describeLive(
  view: StatusView,
  { providerVersion, conversation, typed, notes }: Known,
): LiveAgent {
  return {
    ...view,
    ...typed,
    ...(providerVersion === undefined ? {} : { providerVersion }),
    ...(conversation === undefined ? {} : { conversation }),
    notes,
  };
}
