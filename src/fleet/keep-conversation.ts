import type { Epoch } from '../agents/epoch.ts';
import { leaveHandedOut } from '../delivery/lose-handed-out.ts';
import type { Clock } from '../shared/clock.ts';
import type { Ledger } from '../store/ledger.ts';

/** Which conversation a life is in, as its CLI told. */
export interface Learned {
  readonly conversation: string;
  /**
   * Wall time at which another one was left for it: what was said there is in its context no more.
   */
  readonly leftAt: number | undefined;
}

export function keepConversation(
  ledger: Ledger,
  clock: Pick<Clock, 'now'>,
  { agent, epoch }: Pick<Epoch, 'agent' | 'epoch'>,
  { conversation, leftAt }: Learned,
): Promise<void> {
  return ledger.write(async (tx) => {
    await tx.epochs.setConversation(agent, epoch, conversation, leftAt);
    if (leftAt === undefined) return;
    await tx.messages.leaveContext(agent);
    await tx.parts.doubt(agent);
    await leaveHandedOut(tx, clock.now(), agent);
  });
}
