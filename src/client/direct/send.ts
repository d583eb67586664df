import type { Agent } from '../../agents/agent.ts';
import { accept } from '../../delivery/accept.ts';
import { address, checkOutgoing, type Outgoing, readAccepted } from '../../fleet/outgoing.ts';
import type { SendResult } from '../../protocol/messages.ts';
import { reachFailPoint } from '../../shared/fail-point.ts';
import { type Context, tellOf } from './context.ts';

export async function send(context: Context, outgoing: Outgoing): Promise<SendResult> {
  const { ledger, surroundings, caller, settings } = context;
  const { clock } = surroundings;
  checkOutgoing(outgoing, settings['body-limit'].value);
  const { to, draft } = await ledger.read((tx) => address(tx, clock.now(), outgoing, caller));
  // Before the commit: what fails behind it would be taken for a send that failed.
  const unwoken = await findUnwoken(context, to);
  const [accepted] = await accept(ledger, clock, [draft]);
  if (!accepted) throw new Error('one draft has one outcome');
  const result = readAccepted(accepted, outgoing, to);
  await reachFailPoint('send.committed');
  context.hasWritten = true;
  tellOf(context, to);
  const isWaiting = unwoken !== undefined && result.state === 'queued';
  return isWaiting ? { ...result, unwoken } : result;
}

/** An agent in tmux can be woken: for most messages nothing is loaded to find that out. */
async function findUnwoken({ folders }: Context, to: Agent): Promise<string | undefined> {
  if (to.backend === 'none' || to.backend === 'tmux') return undefined;
  const found = await import('./find-unwoken.ts');
  return found.findUnwoken(folders, to);
}
