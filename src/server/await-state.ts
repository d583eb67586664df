import { type Awaitable, hasReached } from '../delivery/reach.ts';
import { resolveMessage } from '../fleet/resolve-message.ts';
import { settleInboxes } from '../fleet/settle-inboxes.ts';
import type { Waited } from '../protocol/messages.ts';
import { surroundingsOf } from './caller.ts';
import type { ServerParts } from './parts.ts';

/** What other processes write, such as a drain or an ack on the command line, is told by nobody: it is looked for this often. */
const lookEveryMs = 500;

export interface Wait {
  readonly id: string;
  readonly to: string;
  readonly state: Awaitable;
  readonly timeoutMs: number;
}

/** One long poll. Ends when it has come so far, in vain, with the time, with its client, or with the daemon. */
export async function awaitState(
  parts: ServerParts,
  { id, to, state, timeoutMs }: Wait,
  gone: AbortSignal,
): Promise<Waited> {
  const { bus, clock, ledger, ending } = parts;
  // Before the first look: nothing is missed in between.
  const news = bus.subscribe([`message.${id}.*`]);
  const over = AbortSignal.any([gone, ending]);
  const endsAtMs = clock.monotonicMs() + timeoutMs;
  try {
    let next = news.next();
    for (;;) {
      await settleInboxes({ ledger, surroundings: surroundingsOf(parts) }, [{ id: to }]);
      const waited = await ledger.read(async (tx): Promise<Waited> => {
        const message = await resolveMessage(tx, id);
        return { id, state: message.state, reached: await hasReached(tx, message, state) };
      });
      const leftMs = endsAtMs - clock.monotonicMs();
      if (waited.reached || leftMs <= 0 || over.aborted) return waited;
      const pause = new AbortController();
      const sleep = clock
        .sleep(Math.min(lookEveryMs, leftMs), AbortSignal.any([over, pause.signal]))
        .then(
          () => 'time' as const,
          () => 'time' as const,
        );
      if ((await Promise.race([next, sleep])) !== 'time') next = news.next();
      pause.abort();
    }
  } finally {
    news.close();
  }
}
