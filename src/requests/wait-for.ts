import { type Awaitable, hasReached } from '../delivery/reach.ts';
import { resolveMessage } from '../fleet/resolve-message.ts';
import { settleInboxes } from '../fleet/settle-inboxes.ts';
import type { Waited } from '../protocol/messages.ts';
import type { Clock } from '../shared/clock.ts';
import { Fault } from '../shared/fault.ts';
import { joinSignals } from '../shared/join-signals.ts';
import { noteDone } from '../shared/unwritten.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import type { Context, Live } from './context.ts';
import { defineRequest } from './define.ts';
import { findMessage } from './parts/find-message.ts';
import { tellStopped } from './send.ts';

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
      const stays = `${id} stays in the ledger; only the wait for it has ended.`;
      await noteDone(stays, () => settleInboxes(context, [{ id: to }]));
      const waited = await context.ledger.read(async (tx): Promise<Waited> => {
        const message = await resolveMessage(tx, id, caller.agent);
        if (message.state === 'queued') await requireProcess(tx, to, context.surroundings.clock);
        return { id, state: message.state, reached: await hasReached(tx, message, state) };
      });
      return waited.reached || isLast ? waited : undefined;
    };
    return context.live
      ? followEvents(context, context.live, { ...wish, id, to }, look)
      : lookAgain(context, wish, look);
  },
);

/** Rule 48: a wait on an agent that has no process ends at once, with the way out. */
async function requireProcess(tx: LedgerTransaction, to: string, clock: Clock): Promise<void> {
  const agent = await tx.agents.find(to);
  const stopped = agent && tellStopped(agent);
  if (!agent || stopped === undefined) return;
  const life = await tx.epochs.find(to, agent.epoch);
  // Its next life is about to begin; if none does, whoever restarts it knows within that time.
  const isRestarting = life?.endCause === 'restarted' && clock.now() - agent.since < restartMs;
  if (isRestarting) return;
  const next = 'The message is kept for it: do not send it again.';
  throw new Fault('agent-exited', stopped, next);
}

/** From the end of one life to the beginning of the next, at most. */
const restartMs = 60_000;

type Look = (isLast: boolean) => Promise<Waited | undefined>;

async function followEvents(
  { surroundings }: Context,
  { bus, ending }: Live,
  { id, to, timeoutMs, gone }: WaitWish & { readonly to: string },
  look: Look,
): Promise<Waited> {
  const { lookUntil } = await import('../events/look-until.ts');
  const { signal: over, leave } = joinSignals(gone ? [gone, ending] : [ending]);
  const topics = [`message.${id}.*`, `agent.${to}.exited`];
  const watch = { topics, limitMs: timeoutMs, over };
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
