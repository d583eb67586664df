import { batchMutants } from './batch-mutants.ts';
import { historyMutants } from './history-mutants.ts';

/**
 * One small wrong change of the engine, which the storms must find. `from` stands exactly once in
 * the file.
 */
export interface Mutant {
  readonly rule: string;
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** In the same file, where two places keep the same promise. */
  readonly also?: { readonly from: string; readonly to: string };
}

const judge = 'src/delivery/judge-attempt.ts';
const follow = 'src/delivery/follow-evidence.ts';
const settle = 'src/delivery/settle-attempt.ts';
const channel = 'src/delivery/standing-channel.ts';

export const mutants: readonly Mutant[] = [
  ...historyMutants,
  ...batchMutants,
  {
    rule: '21',
    name: 'no budget is ever spent',
    file: 'src/delivery/budgets.ts',
    from: 'known.used >= limit',
    to: 'known.used < 0',
  },
  {
    rule: '21',
    name: 'what the user wrote is counted and held like an agent’s',
    file: 'src/agents/wake-budget.ts',
    from: "if (!isUser({ id: from })) return 'wakes';",
    to: "if (!isUser({ id: from }) || !isScript) return 'wakes';",
  },
  {
    rule: '21',
    name: 'what the user wrote comes out of the budget for scripts',
    file: 'src/agents/wake-budget.ts',
    from: "return isScript ? 'scripts' : undefined;",
    to: "return 'scripts';",
  },
  {
    rule: '42',
    name: 'a failure that only the records tell of is followed by the next copy at once',
    file: 'src/delivery/pick-route.ts',
    from: 'return situation.isFailing ? probe(situation) : wake(situation);',
    to: 'return wake(situation);',
  },
  {
    rule: '42',
    name: 'the records’ word about a failing API is not remembered',
    file: settle,
    from: 'backOff.fail(surroundings.clock.monotonicMs());',
    to: 'void surroundings;',
  },
  {
    rule: '50',
    name: 'records in a form that nobody knows are read like others',
    file: 'src/providers/record-form.ts',
    from: '    isUnrecognised: true,\n',
    to: '',
  },
  {
    rule: '50',
    name: 'what such records show is waited for like proof',
    file: judge,
    from: "if (!finding.isUnrecognised || finding.found === 'held') return false;",
    to: 'if (finding !== undefined) return false;',
  },
  {
    rule: '50',
    name: 'such a message is in doubt after a minute',
    file: judge,
    from: 'if (finding.isUnrecognised && !isUncertain) return',
    to: 'if (finding === undefined) return',
  },
  {
    rule: '50',
    name: 'what is left unconfirmed is asked for again and again',
    file: 'src/delivery/leave-unconfirmed.ts',
    from: 'await tx.claims.note(claim.token, { provable: false });',
    to: '',
  },
  {
    rule: '53',
    name: 'what wakes an agent is not put up again',
    file: channel,
    from: 'void this.#try();',
    to: '',
  },
  {
    rule: '53',
    name: 'no other route takes over from what cannot be put up',
    file: channel,
    from: 'this.#now() >= this.#goneSince + takeOverMs',
    to: 'this.#now() < 0',
  },
  {
    rule: '41',
    name: 'records that cannot be read prove absence',
    file: follow,
    from: "const noFinding: Finding = { found: 'unknown',",
    to: "const noFinding: Finding = { found: 'absent',",
  },
  {
    rule: '41',
    name: 'records that cannot be read show no trace',
    file: follow,
    from: "const noFinding: Finding = { found: 'unknown',",
    to: "const noFinding: Finding = { found: 'none',",
  },
  {
    rule: '11, 41',
    name: 'a hook reply is proven absent by records that cannot tell',
    file: judge,
    from: "isDue && finding.found === 'none' &&",
    to: 'isDue &&',
  },
  {
    rule: '42b',
    name: 'a message counts as taken back without the word of the CLI',
    file: settle,
    from: "(await Promise.race([native.withdraw(trace), silence])) === 'withdrawn'",
    to: '(await Promise.race([native.withdraw(trace), silence])) !== undefined',
  },
  {
    rule: '42b',
    name: 'nothing is taken back from a queue that was left',
    file: settle,
    from: 'if (!native?.withdraw) return false;',
    to: 'if (!native?.withdraw || trace.mark !== undefined) return false;',
  },
  {
    rule: '42b',
    name: 'what was left with its conversation comes again unmarked',
    file: settle,
    from: "return decide('no-proof', evidence);",
    to: "return decide('absent', evidence);",
  },
  {
    rule: '42b',
    name: 'a conversation that was left is waited for like one that is shown',
    file: judge,
    from: 'if (isElsewhere || finding.isLeft) {',
    to: 'if (isElsewhere) {',
  },
  {
    rule: '42c',
    name: 'what a person interrupted comes again while it is in the conversation',
    file: judge,
    from: "finding.isInterrupted === true || composer === 'draft'",
    to: "composer === 'draft'",
  },
  {
    rule: '42d',
    name: 'what the agent keeps is waited for without end',
    file: judge,
    from: "const waitMs = Math.max(blindFor(facts), proofMs);\n  return waitMs > 0 ? { againInMs: waitMs } : 'left';",
    to: 'return { againInMs: Math.max(blindFor(facts), proofMs, 1) };',
  },
  {
    rule: '42',
    name: 'others wait two minutes behind a message without a trace, not 5 s',
    file: follow,
    from: 'monotonicMs() - since < hookLandMs;',
    to: 'monotonicMs() - since < 120_000;',
  },
  {
    rule: '4, 42d',
    name: 'proof is awaited for ten minutes',
    file: judge,
    from: 'evidenceMs = ownSpan(60_000)',
    to: 'evidenceMs = ownSpan(600_000)',
  },
  {
    rule: '4',
    name: 'proof is awaited for a second',
    file: judge,
    from: 'evidenceMs = ownSpan(60_000)',
    to: 'evidenceMs = ownSpan(1000)',
  },
  {
    rule: '4, 42d',
    name: 'each turn between begins the wait for proof anew',
    file: judge,
    from: 'evidenceMs - (facts.restedMs ?? 0)',
    to: 'evidenceMs',
  },
  {
    rule: '17, 42d',
    name: 'what the agent took itself in a failed turn is never lost',
    file: 'src/delivery/lose-handed-out.ts',
    from: 'if (due.length === 0) return 0;',
    to: 'if (due.length >= 0) return 0;',
  },
  {
    rule: '42',
    name: 'an agent is told to drain once and never again',
    file: 'src/delivery/routes/notice.ts',
    from: 'const mostTimes = 3;',
    to: 'const mostTimes = 1;',
  },
  {
    rule: '43',
    name: 'a record of the text alone is proof',
    file: judge,
    from: "    case 'landed':\n    case 'held':\n      return judgeKept(facts);",
    to: "    case 'landed':\n      return 'seen';\n    case 'held':\n      return judgeKept(facts);",
  },
  {
    rule: '44',
    name: 'an unreadable screen keeps messages from a way in that needs none',
    file: 'src/delivery/pick-route.ts',
    from: 'if (isOpenAlways(situation)) {',
    to: 'if (isOpenAlways(situation) && situation.now < 0) {',
  },
  {
    rule: '49',
    name: 'the copy after a cancelled or broken stream is unmarked',
    file: 'src/delivery/take-out.ts',
    from: "message.mayRepeat || because !== 'refused'",
    to: 'message.mayRepeat',
  },
  {
    rule: '49',
    name: 'the copy after a stream that broke by itself is unmarked',
    file: 'src/delivery/take-out.ts',
    from: "message.mayRepeat || because !== 'refused'",
    to: "message.mayRepeat || because === 'interrupted'",
  },
  {
    rule: '49',
    name: 'an attempt that the model may have begun on counts as not landed',
    file: 'src/delivery/take-out.ts',
    from: "because === 'refused' ? 'not-landed' : 'uncertain'",
    to: "'not-landed'",
  },
  {
    rule: '9',
    name: 'what an interruption took out comes again over the person',
    file: judge,
    from: "? 'removed' : 'interrupted';",
    to: "? 'removed' : 'removed';",
  },
  {
    rule: '10',
    name: 'the re-offer without proof is unmarked',
    file: 'src/delivery/resolve.ts',
    from: 'const set = { reoffered: true, mayRepeat: true };',
    to: 'const set = { reoffered: true };',
  },
  {
    rule: '22',
    name: 'a queue that Esc empties is given messages',
    file: 'src/delivery/pick-route.ts',
    from: 'return isKept(ways) && ways.nativeDuring',
    to: 'return ways.nativeDuring',
  },
  {
    rule: '22',
    name: 'a queue that an interruption paused is never released',
    file: 'src/delivery/release-queue.ts',
    from: 'await native.release();',
    to: '',
  },
];
