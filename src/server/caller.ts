import type { Context } from 'hono';
import type { Agent } from '../agents/agent.ts';
import { byCommand, settleHandedOut, type Taken } from '../delivery/settle-handed-out.ts';
import { errorFacts } from '../shared/log.ts';
import { reportBug } from '../shared/report-bug.ts';
import type { ServerParts } from './parts.ts';
import { findCaller } from './requests.ts';

/** Who asks for messages. */
export async function hearCaller(parts: ServerParts, c: Context): Promise<Agent> {
  const caller = await parts.ledger.read((tx) => findCaller(tx, c));
  await settleCaller(parts, caller);
  return caller;
}

/** An agent that calls again on the same line has read what its last call handed out (rule 17). */
export async function settleCaller(
  parts: ServerParts,
  caller: Agent,
  isTaken: Taken = byCommand,
): Promise<void> {
  if (caller.backend === 'none') return;
  const { ledger, log } = parts;
  const here = { ledger, surroundings: surroundingsOf(parts) };
  await settleHandedOut(here, caller.id, isTaken).catch((error: unknown) => {
    // Its next call, or its turn's end, does it.
    reportBug('settling what a caller was handed', error);
    log.warn({ agent: caller.id, ...errorFacts(error) }, 'what was handed out stays open');
  });
}

export function surroundingsOf({ clock, host }: ServerParts) {
  return { clock, host };
}
