import type { AgentStatus } from '../agents/agent.ts';
import type { Composer } from '../agents/status.ts';

/** What the detector makes of a screen. Its shape does not change without a major version. */
export interface DetectResult {
  readonly status: AgentStatus;
  readonly detail?: string;
  /** `empty` only when it is proven: that is what allows a paste. */
  readonly composer: Composer;
  /** The rule that fired, or `none`. */
  readonly rule: string;
  readonly provider: string;
  /** The versions of the CLI that the rules were written for. */
  readonly providerVersions: string;
}

/** The rules that hold for a provider, in the order in which they are asked. */
export interface DetectorRules {
  readonly provider: string;
  readonly providerVersions: string;
  readonly tested: string;
  readonly rules: readonly RuleView[];
  readonly composer: readonly RuleView[];
  /** Where a user's own file would be, or is. */
  readonly ownFile: string;
}

export interface RuleView {
  readonly name: string;
  /** `waiting: permission`; of a composer's rule what it proves. */
  readonly says: string;
  readonly versions?: string;
  /** The file that it comes from. */
  readonly source: string;
}
