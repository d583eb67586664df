import { type Awaitable, hasReached } from '../delivery/reach.ts';
import { resolveMessage } from '../fleet/resolve-message.ts';
import { settleInboxes } from '../fleet/settle-inboxes.ts';
import type { Waited } from '../protocol/messages.ts';
import { joinSignals } from '../shared/join-signals.ts';
import type { Context, Live } from './context.ts';
import { defineRequest } from './define.ts';
import { findMessage } from './parts/find-message.ts';

/** Milliseconds between looks into the ledger, where no daemon tells. */
const lookEveryMs = 50;

export interface WaitWish {
  readonly id: string;
  readonly state: Awaitable;
  readonly timeoutMs: number;
  /** The client has gone. */
  readonly gone?: AbortSignal;
}

/**
 * Waits until a message has come so far. Ends when it has, with the time, with its client or with
 * the daemon; a state that it will never reach is a fault at once.
 */
export const waitFor = defineRequest(
  async (context: Context, caller, wish: WaitWish): Promise<Waited> => {
    const { state } = wish;
    const { id, to } = await findMessage(context, caller, wish.id);
    const look = async (isLast: boolean): Promise<Waited | undefined> => {
      await settleInboxes(context, [{ id: to }]);
      const waited = await context.ledger.read(async (tx): Promise<Waited> => {
        const message = await resolveMessage(tx, id, caller.agent);
        return { id, state: message.state, reached: await hasReached(tx, message, state) };
      });
      return waited.reached || isLast ? waited : undefined;
    };
    return context.live
      ? followEvents(context, context.live, { ...wish, id }, look)
      : lookAgain(context, wish, look);
  },
);

type Look = (isLast: boolean) => Promise<Waited | undefined>;

async function followEvents(
  { surroundings }: Context,
  { bus, ending }: Live,
  { id, timeoutMs, gone }: WaitWish,
  look: Look,
): Promise<Waited> {
  const { lookUntil } = await import('../events/look-until.ts');
  const { signal: over, leave } = joinSignals(gone ? [gone, ending] : [ending]);
  const watch = { topics: [`message.${id}.*`], limitMs: timeoutMs, over };
  return lookUntil({ bus, clock: surroundings.clock }, watch, look).finally(leave);
}

async function lookAgain(
  { surroundings: { clock } }: Context,
  { timeoutMs }: WaitWish,
  look: Look,
): Promise<Waited> {
  const endsAtMs = clock.monotonicMs() + timeoutMs;
  for (;;) {
    const leftMs = endsAtMs - clock.monotonicMs();
    const waited = await look(leftMs <= 0);
    if (waited) return waited;
    await clock.sleep(Math.min(lookEveryMs, Math.max(0, leftMs)));
  }
}
