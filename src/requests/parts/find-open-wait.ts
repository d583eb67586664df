import type { Agent } from '../../agents/agent.ts';
import { callName } from '../../agents/reference.ts';
import { findWait } from '../../fleet/find-wait.ts';
import type { Message } from '../../messages/message.ts';
import type { WaitReason } from '../../messages/wait-reason.ts';
import type { Context } from '../context.ts';
import { explainSilence } from './agent-views.ts';

/**
 * What an open message waits for. `isEnd`: it was sent and no proof can come (rule 8), so it waits
 * for nothing.
 */
export function findOpenWait(
  { live }: Context,
  { id, to, state, isQuiet }: Message,
  recipient: Agent,
  isEnd: boolean,
): WaitReason | undefined {
  if (state === 'queued') {
    const waitsFor = live && (live.delivery.waitsFor(to) ?? explainSilence(live, recipient));
    return findWait(recipient, live && { waitsFor }, { isQuiet });
  }
  if (state !== 'injected' && state !== 'uncertain') return undefined;
  if (live) return live.delivery.placeOf(to, id);
  const { backend, status } = recipient;
  if (isEnd || backend === 'none') return undefined;
  return status === 'exited'
    ? { code: 'records-asked-later', name: callName(recipient) }
    : { code: 'no-daemon-to-look' };
}
