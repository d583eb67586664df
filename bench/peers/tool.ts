import type { Hands } from '../../test/lab/life/hands.ts';
import type { CliName } from '../../test/lab/versions.ts';

/** In the order of the table. */
export const toolNames = ['signalbox', 'CAO', 'agent-deck', 'by hand'] as const;
export type ToolName = (typeof toolNames)[number];

/** Those that a run compares, and CAO knows. */
export const clis = ['claude-code', 'codex'] as const satisfies readonly CliName[];

/** One agent of one tool: a real CLI, and what its tool can do with it. */
export interface Seat {
  readonly tool: ToolName;
  readonly cwd: string;
  /** A person at its terminal. */
  readonly hands: Hands;
  /** The user's word, by the tool's own command; gives the moment at which the command began. */
  prompt(text: string): Promise<number>;
  /** Another agent's word, over the tool's HTTP. By hand and in agent-deck there is none. */
  notice?(text: string): Promise<number>;
  /** The tool itself takes its agent for idle, and the model has had nothing to do for a while. */
  rests(): Promise<void>;
}
