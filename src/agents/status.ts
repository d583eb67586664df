import type { AgentStatus } from './agent.ts';
import type { ShownQuestion } from './question.ts';

/**
 * Who said so, best first: the process table, the CLI's own state, its hooks, the rendered screen
 * with its title. `backend` is the terminal's backend, where that watches agents itself: as good as
 * the CLI's own state when it has the CLI's word, else no more than a doubt.
 */
export type StatusSource = 'process' | 'state' | 'hook' | 'screen' | 'backend' | 'none';

/**
 * Whether something can be pasted: `empty` only when it is proven by text, cursor and placeholder
 * together; `blank` when at most blanks stand behind the cursor, which the CLI cuts off, so that a
 * paste is exact; `hidden` while a dialog or menu stands in its place.
 */
export type Composer = 'empty' | 'blank' | 'draft' | 'hidden' | 'unknown';

/**
 * One source's word about one agent. `at` is on the monotonic clock: later words may overrule
 * earlier ones.
 */
export interface StatusReport {
  readonly status: AgentStatus;
  readonly detail?: string;
  readonly source: StatusSource;
  readonly at: number;
}

/** What a detector makes of one rendered screen. */
export interface Verdict {
  readonly status: AgentStatus;
  readonly detail?: string;
  /** What a dialog asks a person, in the CLI's own words; for people alone. */
  readonly question?: string;
  readonly composer: Composer;
  /** The composer takes something else than prompts: a shell's commands. */
  readonly mode?: string;
  /**
   * Why this composer cannot be proven empty, or takes no paste, however long one waits: a reason's
   * name (`vim-normal`, `untested-version`). Unset for what passes, such as a draft or a dialog.
   */
  readonly noPaste?: string;
  /** What works beside a conversation that rests, and may ask a person something. */
  readonly beside?: 'sub-agents';
  /** The rule that fired, or `none`. */
  readonly rule: string;
  /** There are no rules for this program: nothing can be known about it but whether it lives. */
  readonly isBlind?: true;
  /** The rules make nothing of it, and its window is smaller than those they were written for. */
  readonly tooSmall?: SmallWindow;
}

/** How large a window is, and how large one has to be, in columns and rows. */
export interface SmallWindow {
  readonly has: WindowSize;
  readonly needs: WindowSize;
}

export interface WindowSize {
  readonly columns: number;
  readonly rows: number;
}

/** What is published and kept. */
export interface StatusView {
  readonly status: AgentStatus;
  readonly detail?: string;
  /** Of an agent that waits: what its CLI asks, where it or the screen tells. */
  readonly question?: string;
  /** What it asks and can be answered without its terminal, oldest first. */
  readonly questions?: readonly ShownQuestion[];
  readonly source: StatusSource;
  /** Wall time. */
  readonly since: number;
  readonly composer: Composer;
}
