import type { HookPayload } from '../../providers/provider.ts';
import type { HookQuestion } from '../../providers/questions.ts';

/** One call of a hook that waits for a decision, as it asks us. */
export interface HeldCall {
  /** The CLI's process, and the hook's own, which lives below it. */
  readonly cli: number;
  readonly hook: number;
  /**
   * Of what the hook was called with: another agent of the CLI asks (a sub-agent), and for what.
   */
  readonly subject: string;
  readonly asker: string;
  readonly question: HookQuestion;
  readonly payload: HookPayload;
}

export function isSameCall(one: HeldCall, other: HeldCall): boolean {
  if (one.cli !== other.cli) return false;
  return JSON.stringify(one.payload.body) === JSON.stringify(other.payload.body);
}

/** That tool has run, so its question is answered. */
export const toolEnds: ReadonlySet<string> = new Set(['PostToolUse', 'PostToolUseFailure']);
/** Of whoever asked, there is no turn any more that could ask. */
export const turnEnds: ReadonlySet<string> = new Set([
  'Stop',
  'StopFailure',
  'SubagentStop',
  'UserPromptSubmit',
  'SessionEnd',
]);

const mostSubjects = 100;
/** Records of a decision come within a second; late ones have been seen after some. */
const lateMs = 60_000;

/** Those of late, so many at most. */
export class LateSubjects {
  readonly #noted = new Map<string, number>();

  has(subject: string, nowMs: number): boolean {
    const at = this.#noted.get(subject);
    return at !== undefined && nowMs - at < lateMs;
  }

  note(subject: string, nowMs: number): void {
    this.#noted.set(subject, nowMs);
    const [oldest] = this.#noted.keys();
    if (this.#noted.size > mostSubjects && oldest !== undefined) this.#noted.delete(oldest);
  }
}
