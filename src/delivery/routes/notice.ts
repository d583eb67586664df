import type { WaitReason } from '../../messages/wait-reason.ts';
import { countWake, takeBackWake } from '../budgets.ts';
import { evidenceMs } from '../judge-attempt.ts';
import type { DeliveryParts } from '../parts.ts';
import { isPen, type Recipient, type RecipientView } from '../recipient.ts';
import { Paste } from './paste.ts';

/** What an agent was told of, and when on the monotonic clock. */
export interface Notice {
  readonly seq: number;
  readonly at: number;
  /** How often it was told of these. */
  readonly times: number;
}

export interface NoticeGiven {
  readonly notice?: Notice;
  readonly waitsFor: WaitReason | undefined;
  readonly againInMs: number | undefined;
}

/** Nobody knows whether the line arrived: it is told once more, later; milliseconds. */
const unsureMs = 60_000;
/**
 * Nor can anybody tell whether the line was read: a person may have interrupted it, or left the
 * conversation (rules 34, 42).
 */
const mostTimes = 3;

/**
 * For an agent that no route of its own leads into, or whose own is gone (rule 53): after a while
 * at rest with mail, one guarded paste of one line tells it to drain (O13). The messages stay
 * queued; the agent takes them itself. It is told once for what has come since; again when the turn
 * that began with it failed, for a model that was never asked has read nothing; and twice more when
 * it rests for a minute and has taken none of them.
 */
export async function giveNotice(
  parts: DeliveryParts,
  recipient: Recipient,
  last: Notice | undefined,
): Promise<NoticeGiven> {
  const { clock } = parts.surroundings;
  const { agent, pen, ways } = recipient;
  const view = recipient.view();
  const query = { to: agent, states: ['queued'] as const, limit: 1000 };
  const queued = await parts.ledger.read((tx) => tx.messages.list(query));
  const newest = queued.at(-1)?.seq ?? 0;
  const hasFailed = view.status === 'error' && last && (view.atRestSince ?? 0) > last.at;
  const isNews = newest > (last?.seq ?? 0);
  if (!isNews && !hasFailed) {
    const mayTell = last !== undefined && queued.length > 0;
    const againInMs = mayTell ? waitToTellAgain(clock.monotonicMs(), last, view) : undefined;
    if (againInMs !== 0) return { waitsFor: { code: 'told-to-drain' }, againInMs };
  }
  const restedMs = clock.monotonicMs() - (view.atRestSince ?? clock.monotonicMs());
  // In the stead of what is gone it has waited for that already.
  const leftMs = ways.takesOver === 'notice' ? 0 : parts.limits.noticeAfterMs - restedMs;
  if (leftMs > 0) return { waitsFor: { code: 'told-later' }, againInMs: leftMs };
  if (!isPen(pen)) return { waitsFor: pen, againInMs: undefined };
  const count = queued.length === 1 ? 'one message waits' : `${queued.length} messages wait`;
  const text = `signalbox: ${count} for you. Read with: signalbox inbox drain`;
  let isCounted = false;
  const commands = ways.pastesWithEnter ? 'one' : 'two';
  const paste = new Paste(parts, pen, () => recipient.view(), { commands });
  const notTaken = await paste.act({
    text,
    // A turn begins with it like with any other wake (rule 21).
    begin: async () => {
      await parts.ledger.write((tx) => countWake(tx, agent, queued, clock.now()));
      isCounted = true;
      return true;
    },
    note: async () => undefined,
  });
  const result = notTaken ?? (await paste.verify());
  // What a person had in the way costs nothing (rule 45).
  if (isCounted && result.outcome === 'refused')
    await parts.ledger.write((tx) => takeBackWake(tx, agent, queued));
  if (result.outcome === 'refused') return { waitsFor: result.reason, againInMs: 1000 };
  if (result.outcome === 'unknown') return { waitsFor: result.reason, againInMs: unsureMs };
  const times = isNews ? 1 : (last?.times ?? 0) + 1;
  const notice = { seq: newest, at: clock.monotonicMs(), times };
  return { notice, waitsFor: { code: 'told-to-drain' }, againInMs: undefined };
}

/**
 * Milliseconds of rest until it is told once more; undefined when it was told often enough, or
 * works.
 */
function waitToTellAgain(
  now: number,
  { at, times }: Notice,
  { atRestSince }: RecipientView,
): number | undefined {
  if (times >= mostTimes || atRestSince === undefined) return undefined;
  return Math.max(0, Math.max(at, atRestSince) + evidenceMs - now);
}
