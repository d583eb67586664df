import type { Claim, Route } from '../messages/claim.ts';
import { canMove } from '../messages/transitions.ts';
import type { AttemptTrace, Evidence, Finding } from '../providers/way-in.ts';
import { reportBug } from '../shared/report-bug.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { describePlace } from './describe-place.ts';
import { type EvidenceMemory, noteBlind, noteRest, rememberDoubt } from './evidence-memory.ts';
import { hookLandMs, judgeAttempt, type Verdict } from './judge-attempt.ts';
import type { DeliveryParts } from './parts.ts';
import { prove } from './prove.ts';
import { type OpenAttempt, readOpen, toTrace } from './read-open.ts';
import type { Recipient, RecipientView } from './recipient.ts';
import { releaseQueue } from './release-queue.ts';
import { remind } from './remind.ts';
import { finishPaste } from './routes/finish-paste.ts';
import { settleAttempt } from './settle-attempt.ts';
import { takeOut } from './take-out.ts';

/** What one look at the evidence left. */
export interface Standing {
  /** An attempt of this life is on its way in and unproven. */
  readonly heldOn: Route | undefined;
  /** Time alone changes something then. */
  readonly againInMs: number | undefined;
}

export const nothingOpen: Standing = { heldOn: undefined, againInMs: undefined };

/** Evidence that has no event of its own is asked for this often. */
const pollMs = 2000;

/** When time alone makes another look worth while. */
export function nextLook(
  { heldOn, againInMs }: Standing,
  other: number | undefined,
): number | undefined {
  const wishes = [againInMs, other, heldOn === undefined ? undefined : pollMs].filter(
    (wish) => wish !== undefined,
  );
  return wishes.length === 0 ? undefined : Math.min(...wishes);
}

/**
 * After something moved another look is worth while; soon, and not at once: a provider that
 * contradicts itself is no busy loop.
 */
const movedMs = 100;

/** How often it is looked whether a person's obstacle before Enter is gone. */
const blockedMs = 1000;

/**
 * Asks the CLI's own records about every attempt whose fate is open, and writes down what they say.
 */
export async function followEvidence(
  parts: DeliveryParts,
  recipient: Recipient,
  memory: EvidenceMemory,
): Promise<Standing> {
  const open = await readOpen(parts, recipient);
  memory.places.clear();
  const isOpen = (token: number): boolean => open.some(({ claim }) => claim.token === token);
  const watched = [...memory.seenThisTurn.values()].filter(({ token }) => !isOpen(token));
  const doubts = [...memory.doubtful].filter(([token]) => !isOpen(token));
  const traces = [
    ...open.map(({ trace }) => trace),
    ...watched.map(toTrace),
    ...doubts.map(([, trace]) => trace),
  ];
  if (traces.length === 0) return nothingOpen;
  const findings = await askEvidence(parts, recipient.evidence, traces);
  const found = (i: number): Finding => findings[i] ?? noFinding;
  noteBlind(memory, recipient.view(), parts.surroundings.clock.monotonicMs());
  const wishes: number[] = [];
  let heldOn: Route | undefined;
  const kept: number[] = [];
  const unread: OpenAttempt[] = [];
  for (const [i, item] of open.entries()) {
    const finding = item.isLive ? found(i) : dropInterruption(found(i));
    const verdict = follow(parts, recipient, memory, item, finding);
    notePlace(recipient, memory, item, finding);
    if (verdict !== 'interrupted') memory.interrupted.delete(item.claim.token);
    else memory.interrupted.set(item.claim.token, finding.evidence);
    const mayFinish = item.isLive && item.isUncertain;
    if (mayFinish && (typeof verdict !== 'string' || verdict === 'no-proof')) {
      const finished = await finishPaste(parts, recipient, item.claim);
      if (finished.outcome === 'sent') {
        await settleAttempt(parts, recipient, memory, item, 'held', sentNow);
        wishes.push(movedMs);
        continue;
      }
      if (finished.outcome === 'blocked') {
        const place = { code: 'enter-kept-back', obstacle: finished.obstacle } as const;
        for (const { id } of item.messages) memory.places.set(id, place);
        wishes.push(blockedMs);
        continue;
      }
    }
    if (typeof verdict === 'string') {
      if (verdict === 'interrupted') continue;
      await settleAttempt(parts, recipient, memory, item, verdict, finding);
      wishes.push(movedMs);
      continue;
    }
    if (verdict.againInMs !== undefined) wishes.push(verdict.againInMs);
    // What a person interrupted is theirs to go on with (rule 42c).
    const isUnread = finding.found === 'landed' && !finding.isInterrupted;
    if (isUnread && (item.isLive || !finding.isUnrecognised)) unread.push(item);
    // A CLI that has just started answers late, and nothing else may tell of it then.
    if (!item.isLive && finding.found === 'unknown') wishes.push(pollMs);
    if (!item.isLive) continue;
    const isKept = (finding.found === 'held' && !finding.isLeft) || finding.found === 'landed';
    // What a person broke off is theirs: nothing begins it again (rule 42c).
    if (isKept && !finding.isInterrupted) kept.push(item.claim.token);
    if (isHolding(parts, recipient, memory, item, finding)) heldOn ??= item.claim.route;
  }
  for (const [i, claim] of watched.entries()) {
    const finding = found(open.length + i);
    if (finding.found !== 'removed') continue;
    memory.seenThisTurn.delete(claim.token);
    if (finding.because === 'interrupted') memory.interrupted.set(claim.token, finding.evidence);
    else {
      const at = parts.surroundings.clock.now();
      await parts.ledger.write((tx) => takeOut(tx, at, claim, finding));
      memory.backOff.fail(parts.surroundings.clock.monotonicMs());
    }
  }
  for (const [i, [token, { mark }]] of doubts.entries()) {
    const { found: how, evidence } = found(open.length + watched.length + i);
    if (how !== 'seen') continue;
    memory.doubtful.delete(token);
    const at = parts.surroundings.clock.now();
    const isNews = await parts.ledger.read((tx) => isUnproven(tx, token));
    if (isNews) await parts.ledger.write((tx) => prove(tx, at, { mark, evidence }));
  }
  wishes.push(...(await remind(parts, recipient, unread)));
  if (kept.length > 0) {
    wishes.push(...(await releaseQueue(parts, recipient, memory, Math.max(...kept))));
  }
  return { heldOn, againInMs: wishes.length === 0 ? undefined : Math.min(...wishes) };
}

/**
 * A turn has ended: nothing can be taken out of it any more, and what a person's interruption took
 * out is queued again. Not while a draft stands in the composer: it may be that text, put back
 * there (rule 12).
 */
export async function passBoundary(
  parts: DeliveryParts,
  recipient: Recipient,
  memory: EvidenceMemory,
): Promise<boolean> {
  memory.seenThisTurn.clear();
  if (memory.interrupted.size === 0 || recipient.view().composer === 'draft') return false;
  const at = parts.surroundings.clock.now();
  const taken = [...memory.interrupted];
  memory.interrupted.clear();
  await parts.ledger.write(async (tx) => {
    for (const [token, evidence] of taken) {
      const claim = await tx.claims.find(token);
      if (!claim) continue;
      await takeOut(tx, at, claim, { evidence, because: 'interrupted' });
      // It may stand in the composer after all, unseen as yet: sent by the person whose it is, its
      // mark proves it (rule 12).
      rememberDoubt(memory, token, toTrace(claim));
    }
  });
  return true;
}

/**
 * Whether later messages wait behind this one (rules 15, 42): only while it can still be read where
 * it was put. In the conversation already, it rides with the next request; uncertain, it blocks
 * nobody (rule 10); and an agent that has rested for a while without a trace of it will not come
 * upon it any more before the next ones.
 */
function isHolding(
  { surroundings }: DeliveryParts,
  recipient: Recipient,
  memory: EvidenceMemory,
  item: OpenAttempt,
  finding: Finding,
): boolean {
  const { claim, isUncertain } = item;
  if (!claim.provable || isUncertain || finding.isLeft || finding.isUnrecognised) return false;
  if (finding.found === 'landed' || isBeingRead(recipient, item, finding)) return false;
  const { atRestSince } = recipient.view();
  if (finding.found === 'held' || atRestSince === undefined) return true;
  const since = Math.max(memory.followedSince.get(claim.token) ?? 0, atRestSince);
  return surroundings.clock.monotonicMs() - since < hookLandMs;
}

/**
 * A process that ends breaks its turn off as a person does (OpenCode 1.18.33 writes the same for
 * SIGTERM and Esc), and nobody goes on with it: in the life after it there is only what was not
 * answered (rule 10).
 */
function dropInterruption({ isInterrupted: _, ...finding }: Finding): Finding {
  return finding;
}

function notePlace(
  recipient: Recipient,
  { places }: EvidenceMemory,
  { messages }: OpenAttempt,
  finding: Finding,
): void {
  const place = describePlace(finding, recipient.view());
  if (place !== undefined) for (const { id } of messages) places.set(id, place);
}

/**
 * It woke the agent, which works on it by now; some records say so only with the answer (Qwen Code
 * 0.24.4). What follows takes the same route, behind it (rule 15). Not what a waiting hook was
 * given: Claude Code records that as it begins, and until then the work may be a person's, begun in
 * the same moment, behind which the message still stands.
 */
function isBeingRead(recipient: Recipient, { claim }: OpenAttempt, { found }: Finding): boolean {
  if (claim.route === 'native' && recipient.ways.hasWaitingHook) return false;
  return found === 'none' && !claim.isBehindTurn && recipient.view().status === 'processing';
}

function follow(
  parts: DeliveryParts,
  recipient: Recipient,
  memory: EvidenceMemory,
  { claim, isLive, isResumed, isUncertain, messages }: OpenAttempt,
  finding: Finding,
): Verdict {
  const now = parts.surroundings.clock.monotonicMs();
  const since = memory.followedSince.get(claim.token) ?? now;
  memory.followedSince.set(claim.token, since);
  const leftSince = noteLeft(memory, claim.token, finding, now);
  const { hasWaitingHook } = recipient.ways;
  const view = recipient.view();
  const isPrompt = messages.some(({ carriedAs }) => carriedAs === 'prompt');
  const attempt = { claim, isLive, isResumed, isUncertain, isPrompt };
  const { blindSince } = memory;
  const left = {
    ...(leftSince === undefined ? {} : { leftSince }),
    ...(blindSince === undefined ? {} : { blindSince }),
    wasBrokenOff: noteBrokenOff(memory, claim, finding, view),
  };
  const restedMs = noteRest(memory, claim.token, view.atRestSince, now);
  return judgeAttempt({ ...attempt, finding, view, hasWaitingHook, since, now, restedMs, ...left });
}

/** Since when each look has found its conversation left; a look that finds it shown begins anew. */
function noteLeft(
  { leftSince }: EvidenceMemory,
  token: number,
  { isLeft }: Finding,
  now: number,
): number | undefined {
  if (!isLeft) leftSince.delete(token);
  else if (!leftSince.has(token)) leftSince.set(token, now);
  return leftSince.get(token);
}

/**
 * Whether a person had broken it off while its conversation was shown: at rest since with their
 * keys, and on record without an answer, where the CLI takes back what they interrupt. Work that is
 * seen later changes nothing: `/clear` itself is some (Claude Code 2.1.325), and an answer is
 * proof.
 */
function noteBrokenOff(
  { brokenOff }: EvidenceMemory,
  { token, takenAtMs }: Claim,
  { found, isLeft, isTakenBackByEsc }: Finding,
  { atRestSince, status, humanKeyAt = Number.NEGATIVE_INFINITY }: RecipientView,
): boolean {
  if (isLeft) return brokenOff.has(token);
  const isQuiet = atRestSince !== undefined && atRestSince > takenAtMs && status !== 'error';
  const isOpen = found === 'landed' && isTakenBackByEsc === true;
  if (isQuiet && isOpen && humanKeyAt > takenAtMs) brokenOff.add(token);
  return false;
}

/** A provider that fails to answer has found nothing, and harms nobody. */
export async function askEvidence(
  parts: Pick<DeliveryParts, 'log'>,
  evidence: Evidence | undefined,
  traces: readonly AttemptTrace[],
): Promise<readonly Finding[]> {
  if (!evidence) return [];
  try {
    return await evidence.judge(traces);
  } catch (error) {
    reportBug('reading the evidence of a CLI', error);
    parts.log.warn({ error: String(error) }, 'the evidence could not be read');
    return [];
  }
}

/** A later copy may have been read already. */
async function isUnproven(tx: LedgerTransaction, token: number): Promise<boolean> {
  for (const { messageId } of await tx.claims.listAttemptsOf(token)) {
    const message = await tx.messages.find(messageId);
    if (message && canMove(message.state, 'seen')) return true;
  }
  return false;
}

const sentNow: Finding = { found: 'held', evidence: 'what stood in its composer was sent' };
const noFinding: Finding = { found: 'unknown', evidence: '' };
