import type { Agent } from '../agents/agent.ts';
import type { Caller } from '../agents/caller.ts';
import { callName } from '../agents/reference.ts';
import { accept } from '../delivery/accept.ts';
import {
  address,
  checkOutgoing,
  type Outgoing,
  readAccepted,
  type Sent,
} from '../fleet/outgoing.ts';
import type { VersionWarning } from '../providers/judge-version.ts';
import { reachFailPoint } from '../shared/fail-point.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import type { Context } from './context.ts';
import { defineRequest } from './define.ts';
import { tellNoRoom } from './parts/tell-no-room.ts';
import { findVersionNews } from './parts/version-news.ts';

/** What is sent, where its way is found in the same look into the ledger. */
export interface SendWish {
  readonly outgoing: Outgoing | ((tx: LedgerTransaction, caller: Caller) => Promise<Outgoing>);
  /** It only asks back: a task that it is about stays open. */
  readonly isQuestion?: boolean;
}

interface SentTo extends Sent {
  /** In words, that it waits because no message wakes its recipient at rest. */
  readonly unwoken?: string;
  /** Of the recipient's CLI, with the first message of its life. */
  readonly versionWarning?: VersionWarning;
}

export interface Sending {
  readonly sent: SentTo;
  readonly to: Agent;
  readonly outgoing: Outgoing;
}

/** Rule 48: nothing wakes an agent that has no process. */
export function tellStopped(agent: Agent): string | undefined {
  const { backend, status, detail } = agent;
  if (backend === 'none' || status !== 'exited') return undefined;
  // Its next life is due.
  if (agent.calledBy !== undefined) return undefined;
  const name = callName(agent);
  const how = detail === undefined ? '' : ` (${detail})`;
  return `"${name}" does not run${how}: it gets its messages after \`signalbox restart ${name}\`.`;
}

/** Commits a message. It is on disk when this resolves. */
export const send = defineRequest(
  async (context: Context, caller, { outgoing: wish, isQuestion }: SendWish): Promise<Sending> => {
    const { ledger, surroundings, bodyLimit } = context;
    const { clock } = surroundings;
    const { to, life, draft, outgoing } = await ledger.read(async (tx) => {
      const outgoing = typeof wish === 'function' ? await wish(tx, caller) : wish;
      checkOutgoing(outgoing, bodyLimit);
      const addressed = await address(tx, clock.now(), outgoing, caller);
      const { id, epoch } = addressed.to;
      return { ...addressed, life: await tx.epochs.find(id, epoch), outgoing };
    });
    // Before the commit: a failure after it would look like a send that failed.
    const waits = tellStopped(to) ?? (await context.unwoken(to, life));
    const question = isQuestion === undefined ? {} : { isQuestion };
    const [accepted] = await accept(ledger, clock, [{ ...draft, ...question }]);
    if (!accepted) throw new Error('one draft has one outcome');
    const sent = readAccepted(accepted, outgoing, to);
    await reachFailPoint('send.committed');
    context.wrote?.();
    await context.committed(to, sent.broughtBack);
    const unwoken = sent.broughtBack ? await tellNoRoom(context, to) : waits;
    const message = accepted.outcome === 'accepted' ? accepted.message : undefined;
    const versionWarning = await findVersionNews(context, to, life, message);
    return {
      sent: {
        ...sent,
        ...(unwoken !== undefined && sent.state === 'queued' ? { unwoken } : {}),
        ...(versionWarning === undefined ? {} : { versionWarning }),
      },
      to,
      outgoing,
    };
  },
);
