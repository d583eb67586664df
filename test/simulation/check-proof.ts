import type { HistoryRow } from '../../src/messages/message-store.ts';
import type { FakeAgent } from './agent.ts';
import { type Story, tell } from './story.ts';
import type { World } from './world.ts';

/** What is called seen was read, and what was read is not in doubt. Returns what was broken. */
export function checkProof(world: World, agent: FakeAgent, story: Story): readonly string[] {
  return [
    ...checkSeen(world, agent, story),
    ...checkContext(world, story),
    ...checkUnconfirmed(world, agent, story),
  ];
}

/** Promises 1 and 5: what is called seen has been read. */
function checkSeen({ truth, chosen }: World, { kind }: FakeAgent, story: Story): readonly string[] {
  const { message, history } = story;
  // A CLI that names no conversation cannot tell that a person left one (rule 17).
  const isBlind = chosen.peopleClear && !kind.hasProof;
  const isByHand = ({ code }: HistoryRow): boolean =>
    code === 'went-on' || code === 'output-followed';
  const isProof = (row: HistoryRow): boolean =>
    (row.to === 'seen' || (row.to === 'acked' && isByHand(row))) && !(isBlind && isByHand(row));
  const answeredAt = truth.answered.get(message.id);
  truth.judged.note('rule 6: proof', history.filter(isProof).length);
  if (answeredAt === undefined)
    return history.some(isProof) ? [tell('rule 6: seen, but never read', undefined, story)] : [];
  const byRecords = chosen.wallJumps ? [] : history.filter(({ code }) => code === 'read');
  truth.judged.note('rule 43: proof by records', byRecords.length);
  return byRecords.some(({ at }) => at < Math.floor(answeredAt))
    ? [tell('rule 43: seen before a word of the model', undefined, story)]
    : [];
}

/**
 * Rule 9: proof that comes for an ended life says what was read, not what is in the conversation
 * now.
 */
function checkContext({ truth }: World, story: Story): readonly string[] {
  const { message, history, attempts } = story;
  if (message.state !== 'seen') return [];
  const at = history.findLastIndex(({ to }) => to === 'seen');
  const epochOf = (row: HistoryRow | undefined): number | undefined =>
    attempts.find(({ token }) => token === row?.token)?.epoch;
  const epoch = epochOf(history[at]);
  truth.judged.note('rule 7: proof of an attempt');
  const proven = attempts.find(({ token }) => token === history[at]?.token);
  if (proven?.outcome !== 'seen')
    return [tell('rule 7: its proof names no attempt that was read', undefined, story)];
  const hadEnded = history
    .slice(0, at)
    .some((row) => row.code === 'life-ended' && epochOf(row) === epoch);
  if (!hadEnded) return [];
  truth.judged.note('rule 9: proof for an ended life');
  return message.inContext === true
    ? [tell('rule 9: in context, after its life had ended', undefined, story)]
    : [];
}

/**
 * Rule 50: what was read, in records whose form nobody knows, is neither given up nor offered again
 * for want of proof.
 */
function checkUnconfirmed(
  { truth, chosen }: World,
  agent: FakeAgent,
  story: Story,
): readonly string[] {
  if (!agent.kind.isStrange || chosen.brokenEvidence || chosen.lateEvidence || chosen.wallJumps)
    return [];
  const answeredAt = truth.answered.get(story.message.id);
  if (answeredAt === undefined) return [];
  // A copy that an ended life was given, and another one, have their own fates.
  if (story.history.some(({ code }) => code === 'life-ended')) return [];
  truth.judged.note('rule 50: read, in a strange form');
  const isDoubted = ({ at, code }: HistoryRow): boolean =>
    at > answeredAt + 10_000 && (code === 'no-proof' || code === 'unanswered');
  return story.history.some(isDoubted)
    ? [tell('rule 50: in doubt, though `injected` is its end', agent, story)]
    : [];
}
