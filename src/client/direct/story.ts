import type { Agent } from '../../agents/agent.ts';
import { type Awaitable, hasReached } from '../../delivery/reach.ts';
import { describeWait } from '../../fleet/describe-wait.ts';
import { resolveMessage } from '../../fleet/resolve-message.ts';
import type { Message } from '../../messages/message.ts';
import type { Explanation } from '../../protocol/messages.ts';
import { viewStory } from '../../protocol/story.ts';
import type { Context } from './context.ts';
import { settleInboxOf } from './inbox.ts';

/** What became of a message, and waiting for it. */

export async function explain(context: Context, id: string): Promise<Explanation> {
  await settleInboxOf(context, id);
  return context.ledger.read(async (tx) => {
    const message = await resolveMessage(tx, id);
    const story = await viewStory(tx, message);
    const recipient = await tx.agents.find(message.to);
    const isOpen = story.attempts.at(-1)?.unconfirmed !== true;
    const waitsFor = recipient && isOpen ? describeUncarried(message, recipient) : undefined;
    return waitsFor === undefined ? story : { ...story, waitsFor };
  });
}

/** What the ledger alone can say; a daemon that runs knows better. */
function describeUncarried({ state }: Message, recipient: Agent): string | undefined {
  if (state === 'queued') return describeWait(recipient, undefined);
  if (state !== 'injected' && state !== 'uncertain') return undefined;
  const { name, backend, status } = recipient;
  if (backend === 'none') return undefined;
  return status === 'exited'
    ? `${name} has exited; its records are asked at its next start`
    : 'no daemon runs that could look where it stands; `signalbox up` starts one';
}

/** Milliseconds between looks into the ledger, where nobody tells. */
const lookEveryMs = 50;

/**
 * Resolves when it has come so far; undefined when that took too long. A state that cannot be
 * reached is a fault at once.
 */
export async function waitFor(
  context: Context,
  id: string,
  wanted: Awaitable,
  timeoutMs: number,
): Promise<boolean> {
  const { clock } = context.surroundings;
  const endsAtMs = clock.monotonicMs() + timeoutMs;
  for (;;) {
    await settleInboxOf(context, id);
    const isThere = await context.ledger.read(async (tx) =>
      hasReached(tx, await resolveMessage(tx, id), wanted),
    );
    const leftMs = endsAtMs - clock.monotonicMs();
    if (isThere || leftMs <= 0) return isThere;
    await clock.sleep(Math.min(lookEveryMs, leftMs));
  }
}
