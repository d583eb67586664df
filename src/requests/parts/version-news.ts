// Tests: test/integration/cli-versions.test.ts.

import type { Agent } from '../../agents/agent.ts';
import type { Epoch } from '../../agents/epoch.ts';
import type { Message } from '../../messages/message.ts';
import type { VersionWarning } from '../../providers/judge-version.ts';
import { reportBug } from '../../shared/report-bug.ts';
import type { Ledger } from '../../store/ledger.ts';
import type { Context } from '../context.ts';

/** What a person should know of the version that this agent runs. */
export async function findWarning(
  context: Pick<Context, 'versionWarning'>,
  { provider, status }: Pick<Agent, 'provider' | 'status'>,
  life: Epoch | undefined,
): Promise<VersionWarning | undefined> {
  if (status === 'exited') return undefined;
  return context.versionWarning(provider, life?.providerVersion);
}

/**
 * Whether this is the first message to its recipient's present life: whoever sends twenty has read
 * it with the first. Asked by the number before its own, so that no list is read; the message is
 * committed, so nothing of this may fail the send.
 */
export async function isFirstOfLife(
  ledger: Ledger,
  { number, to }: Pick<Message, 'number' | 'to'>,
  life: Epoch,
): Promise<boolean> {
  if (number === undefined) return true;
  try {
    const before = await ledger.read((tx) => tx.messages.listByNumber(number - 1, { id: to }));
    return before.every(({ createdAt }) => createdAt < life.startedAt);
  } catch (error) {
    reportBug('looking for an earlier message', error);
    return false;
  }
}
