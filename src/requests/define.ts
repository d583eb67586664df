import type { Caller } from '../agents/caller.ts';
import { byCommand, settleHandedOut } from '../delivery/settle-handed-out.ts';
import { errorFacts } from '../shared/log.ts';
import { reportBug } from '../shared/report-bug.ts';
import type { Context } from './context.ts';

/** One verb: who asks, for what, and what comes of it. Failures a caller can act on are faults. */
export type Request<In extends Context, Wish, Result> = (
  context: In,
  caller: Caller,
  wish: Wish,
) => Promise<Result>;

/**
 * Makes a request. Whatever an agent asks for next, it has read what it was handed on the same line
 * before (rule 17): that is settled here, so that no transport and no verb can forget it.
 */
export function defineRequest<In extends Context, Wish, Result>(
  run: Request<In, Wish, Result>,
): Request<In, Wish, Result> {
  return async (context, caller, wish) => {
    await hear(context, caller);
    return run(context, caller, wish);
  };
}

const heard = new WeakSet<Caller>();

/** Once for each call: a command that asks for several things is one call. */
export async function hear(
  { ledger, surroundings, log }: Pick<Context, 'ledger' | 'surroundings' | 'log'>,
  caller: Caller,
): Promise<void> {
  const { agent, isTaken = byCommand } = caller;
  if (agent.backend === 'none' || heard.has(caller)) return;
  heard.add(caller);
  try {
    await settleHandedOut({ ledger, surroundings }, agent.id, isTaken);
  } catch (error) {
    // It stays open: the agent's next call, or the end of its turn, settles it.
    reportBug('settling what a caller was handed', error);
    log?.warn({ agent: agent.id, ...errorFacts(error) }, 'what was handed out stays open');
  }
}
