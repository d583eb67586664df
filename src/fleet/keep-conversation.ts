import type { Epoch } from '../agents/epoch.ts';
import type { Ledger } from '../store/ledger.ts';

/** Which conversation a life is in, as its CLI told. */
export interface Learned {
  readonly conversation: string;
  /** Another one was left for it: what was said there is in its context no more. */
  readonly isAnother: boolean;
}

export function keepConversation(
  ledger: Ledger,
  { agent, epoch }: Pick<Epoch, 'agent' | 'epoch'>,
  { conversation, isAnother }: Learned,
): Promise<void> {
  return ledger.write(async (tx) => {
    await tx.epochs.setConversation(agent, epoch, conversation);
    if (!isAnother) return;
    await tx.messages.leaveContext(agent);
    await tx.parts.doubt(agent);
  });
}
