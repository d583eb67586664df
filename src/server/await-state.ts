import { type Awaitable, hasReached } from '../delivery/reach.ts';
import { lookUntil } from '../events/look-until.ts';
import { resolveMessage } from '../fleet/resolve-message.ts';
import { settleInboxes } from '../fleet/settle-inboxes.ts';
import type { Waited } from '../protocol/messages.ts';
import { joinSignals } from '../shared/join-signals.ts';
import { surroundingsOf } from './caller.ts';
import type { ServerParts } from './parts.ts';

export interface Wait {
  readonly id: string;
  readonly to: string;
  readonly state: Awaitable;
  readonly timeoutMs: number;
}

/**
 * One long poll. Ends when it has come so far, in vain, with the time, with its client, or with the
 * daemon.
 */
export function awaitState(
  parts: ServerParts,
  { id, to, state, timeoutMs }: Wait,
  gone: AbortSignal,
): Promise<Waited> {
  const { ledger, ending } = parts;
  const { signal: over, leave } = joinSignals([gone, ending]);
  const watch = { topics: [`message.${id}.*`], limitMs: timeoutMs, over };
  return lookUntil(parts, watch, async (isLast) => {
    await settleInboxes({ ledger, surroundings: surroundingsOf(parts) }, [{ id: to }]);
    const waited = await ledger.read(async (tx): Promise<Waited> => {
      const message = await resolveMessage(tx, id);
      return { id, state: message.state, reached: await hasReached(tx, message, state) };
    });
    return waited.reached || isLast ? waited : undefined;
  }).finally(leave);
}
