import type { Agent } from '../agents/agent.ts';
import { callName } from '../agents/reference.ts';
import type { Message } from '../messages/message.ts';
import type { WaitReason } from '../messages/wait-reason.ts';

/**
 * What a queued message waits for, as far as it is known. `carrier` is what the daemon that runs
 * says of it; undefined when none runs. Undefined for an agent without a terminal: it takes its
 * messages itself.
 */
export function findWait(
  agent: Agent,
  carrier: { readonly waitsFor: WaitReason | undefined } | undefined,
  { isQuiet }: Pick<Message, 'isQuiet'>,
): WaitReason | undefined {
  const { backend, status, detail } = agent;
  if (backend === 'none') return undefined;
  if (status === 'exited') return { code: 'recipient-exited', name: callName(agent), detail };
  if (!carrier) return { code: 'no-daemon' };
  return carrier.waitsFor ?? { code: isQuiet ? 'wakes-nobody' : 'just-looked-at' };
}
