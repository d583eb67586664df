import type { Agent } from '../agents/agent.ts';
import { accept } from '../delivery/accept.ts';
import { Fault } from '../shared/fault.ts';
import type { WantedLaunch } from './fleet.ts';
import type { FleetParts } from './parts.ts';

/** The first message of an agent that is being launched; on disk when this returns. */
export async function commitFirst(
  parts: Pick<FleetParts, 'ledger' | 'surroundings'>,
  agent: Agent,
  message: NonNullable<WantedLaunch['message']>,
): Promise<void> {
  const { kind = 'message', from, body, key, isScript = false, isPrompt = false } = message;
  const draft = {
    kind,
    from,
    to: agent.id,
    body,
    isScript,
    isPrompt,
    ...(key === undefined ? {} : { key }),
  } as const;
  const [accepted] = await accept(parts.ledger, parts.surroundings.clock, [
    { ...draft, urgent: false },
  ]);
  if (accepted?.outcome === 'accepted') return;
  throw new Fault('launch-failed', 'Its first message was not accepted.', 'Launch it again.');
}
