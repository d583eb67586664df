import type { AgentView } from '../protocol/agents.ts';
import type { Recovery } from '../protocol/demo.ts';

/** Something that a person who watches the demo may want to see. */
export type Moment = Happening & {
  /** Since the start. */
  readonly atMs: number;
};

export type Happening = StoryEvent | TeamSight;

/** The team as it is now. */
export interface TeamSight {
  readonly what: 'team';
  readonly agents: readonly TeamMember[];
  /** Messages that a program wrote, and those that one has read. */
  readonly sent: number;
  readonly received: number;
  readonly repeats: number;
}

export type StoryEvent =
  | { readonly what: 'opened'; readonly home: string }
  /** What an agent's program, or the user, says that it did. */
  | { readonly what: 'told'; readonly agent: string; readonly text: string }
  | {
      readonly what: 'killed';
      readonly victim: Victim;
      readonly name: string;
      readonly pid: number;
    }
  | { readonly what: 'recovered'; readonly recovery: Recovery };

/** What is killed, in this order. */
export const victims = ['agent', 'daemon'] as const;
export type Victim = (typeof victims)[number];

export interface TeamMember {
  readonly name: string;
  readonly status: AgentView['status'];
  readonly detail: string;
  readonly isChild: boolean;
  /** Whom it owes an answer. */
  readonly owes: readonly string[];
  /** What its program says that it does. */
  readonly does: string;
}
