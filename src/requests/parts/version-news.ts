import type { Agent } from '../../agents/agent.ts';
import type { Epoch } from '../../agents/epoch.ts';
import type { Message } from '../../messages/message.ts';
import type { VersionWarning } from '../../providers/judge-version.ts';
import { reportBug } from '../../shared/report-bug.ts';
import type { Context } from '../context.ts';

/**
 * What a sender should know of the version of the recipient's CLI, with the first message of its
 * life alone: whoever sends twenty has read it with the first. The message is committed, so nothing
 * of this may fail the request.
 */
export async function findVersionNews(
  context: Context,
  { provider, status }: Pick<Agent, 'provider' | 'status'>,
  life: Epoch | undefined,
  message: Message | undefined,
): Promise<VersionWarning | undefined> {
  if (status === 'exited' || life === undefined || message === undefined) return undefined;
  try {
    const warning = await context.versionWarning(provider, life.providerVersion);
    if (warning === undefined) return undefined;
    return (await isFirstOf(context, life, message)) ? warning : undefined;
  } catch (error) {
    reportBug('judging the version of a recipient', error);
    return undefined;
  }
}

/**
 * Asked by the number before its own, so that no list is read. An agent's first life is told with
 * what it was launched for, which lies on disk before that life begins.
 */
async function isFirstOf(
  { ledger }: Context,
  life: Epoch,
  { number, to }: Message,
): Promise<boolean> {
  if (number === undefined) return true;
  const before = await ledger.read((tx) => tx.messages.listByNumber(number - 1, { id: to }));
  return before.every(({ createdAt }) => life.epoch > 1 && createdAt < life.startedAt);
}
