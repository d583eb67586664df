import { doubtForm } from '../../src/providers/record-form.ts';
import type { AttemptTrace, Evidence, Finding } from '../../src/providers/way-in.ts';
import type { FakeAgent } from './agent.ts';
import type { Life, Scheduler } from './scheduler.ts';

/** Whether an agent's records can be read, and how much they can prove. */
export class FakeRecords {
  /** Conversations up to this one have been deleted by another process of the CLI. */
  deletedTo = 0;
  readonly #scheduler: Scheduler;
  #unreadableUntil = Number.NEGATIVE_INFINITY;
  #half = { from: 0, to: Number.NEGATIVE_INFINITY };
  /** Of this conversation somebody has a file that nobody can attribute. */
  #orphaned = 0;

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  get isReadable(): boolean {
    return this.#scheduler.monotonicMs >= this.#unreadableUntil;
  }

  /** EMFILE, EACCES, EIO, for a while. */
  fail(ms: number): void {
    this.#unreadableUntil = this.#scheduler.monotonicMs + ms;
  }

  /** A line that is written for so long. What stands behind it cannot be read yet. */
  halve(ms: number): void {
    const from = this.#scheduler.monotonicMs;
    this.#half = { from, to: from + ms };
  }

  orphan(conversation: number): void {
    this.#orphaned = conversation;
  }

  /** What is on record from then on can be read now. */
  isVisible(at: number): boolean {
    const now = this.#scheduler.monotonicMs;
    return at <= now && !(this.#isHalf && at >= this.#half.from);
  }

  /** All of it was read, so that what was not found is not there (rule 41). */
  isWhole(conversation: number): boolean {
    return !this.#isHalf && this.#orphaned !== conversation;
  }

  get #isHalf(): boolean {
    return this.#scheduler.monotonicMs < this.#half.to;
  }
}

/**
 * The CLI's records, as one daemon reads them. Truthful by rule: late, incomplete, unreadable,
 * never wrong.
 */
export function openFakeEvidence(agent: FakeAgent, daemon: Life): Evidence {
  const { stage, told } = agent;
  const { scheduler, random } = stage;
  return {
    judge: async (attempts) => {
      await scheduler.maybe(daemon, 0.5);
      const isBroken = stage.faults?.brokenEvidence === true;
      if (isBroken && random.chance(0.05)) throw new Error('EMFILE: too many open files');
      const findings = attempts.map((attempt) =>
        isBroken && random.chance(0.05) ? unread : findByForm(agent, attempt),
      );
      for (const [i, { found, isLeft }] of findings.entries()) {
        if (isLeft || ['seen', 'landed', 'removed', 'absent'].includes(found))
          told.add(attempts[i]?.mark ?? '');
      }
      await scheduler.maybe(daemon, 0.5);
      return findings;
    },
    close: () => undefined,
  };
}

const evidence = 'the records';
const unread: Finding = { found: 'unknown', evidence: 'the records cannot be read' };

/**
 * Rule 50: once its conversation has shown an answer, in whatever form, nothing that is found there
 * is proof.
 */
function findByForm(agent: FakeAgent, attempt: AttemptTrace): Finding {
  const finding = find(agent, attempt);
  const { kind, talk, records } = agent;
  if (!kind.isStrange || finding === unread) return finding;
  const entry = talk.entries.findLast((one) => one.mark === attempt.mark);
  const where = entry?.conversation ?? talk.current;
  const isForeign = talk.entries.some(
    ({ conversation, outputAt }) =>
      conversation === where && outputAt !== undefined && records.isVisible(outputAt),
  );
  return isForeign ? doubtForm(finding, 'fake 9.9.9') : finding;
}

function find(agent: FakeAgent, attempt: AttemptTrace): Finding {
  const { kind, records, talk, queue } = agent;
  if (!kind.hasProof) return { found: 'unknown', evidence };
  if (!records.isReadable) return unread;
  const { mark, route, isAlive } = attempt;
  const entry = talk.entries.findLast((one) => one.mark === mark);
  if (entry) {
    if (entry.conversation <= records.deletedTo) return unread;
    return describe(agent, entry);
  }
  const where = queue.find(mark);
  if (where !== undefined) {
    const isLeft = where > 0 && talk.isLeft(where);
    return { found: 'held', evidence, ...(isLeft ? { isLeft } : {}) };
  }
  // Whatever was deleted may have held it.
  if (records.deletedTo > 0 || !records.isWhole(talk.current)) return unread;
  const isUnderway =
    agent.underway.has(mark) ||
    agent.composer.text.includes(mark) ||
    agent.joining.some((text) => text.includes(mark));
  if (isUnderway) return { found: 'none', evidence };
  const isProven =
    kind.provesAbsence && (!isAlive || (route === 'native' && agent.isAtRest && agent.isAlive));
  return { found: isProven ? 'absent' : 'none', evidence };
}

function describe({ kind, records, talk }: FakeAgent, entry: FakeEntry): Finding {
  const { removed, outputAt, isInterrupted } = entry;
  if (outputAt !== undefined && records.isVisible(outputAt) && !removed && !kind.isStrange)
    return { found: 'seen', evidence };
  if (!records.isVisible(entry.visibleAt))
    return records.isWhole(entry.conversation) ? { found: 'none', evidence } : unread;
  const isLeft = talk.isLeft(entry.conversation) ? { isLeft: true } : {};
  if (removed) return { found: 'removed', because: removed, evidence, ...isLeft };
  const interruption = isInterrupted && kind.tellsInterruption ? { isInterrupted } : {};
  return { found: 'landed', evidence, ...isLeft, ...interruption };
}

type FakeEntry = FakeAgent['talk']['entries'][number];
