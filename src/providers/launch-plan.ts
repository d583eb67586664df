import type { Role } from '../agents/role.ts';
import type { HookCommand } from './hook-command.ts';
import type { HelperProgram } from './way-in.ts';

/** From what a provider plans the start of one life (`launch.ts` in its folder). */
export interface LaunchRequest {
  readonly agent: { readonly id: string; readonly name: string };
  readonly epoch: number;
  readonly executablePath: string;
  readonly version: string | undefined;
  readonly cwd: string;
  readonly model: string | undefined;
  /** What its profile makes of it; empty without one. */
  readonly role: Role;
  /**
   * signalbox's own MCP server for its model, allowed by name (rule 39); undefined: it gets none.
   */
  readonly tools: ToolServer | undefined;
  /** What a person wrote after `--`: counts as asked for (rule 39). */
  readonly extraArgs: readonly string[];
  /** The conversation to resume, or undefined for a new one. */
  readonly resume: string | undefined;
  /** A private folder (0700) for this life; it exists until the life ends. */
  readonly runFolder: string;
  /** What the agent will be started with, before the plan's own additions. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Posts a hook's stdin to the daemon: a constant command that takes everything else from the
   * environment. It goes into the CLI's configuration as it is: whatever stands before or behind it
   * would undo that it never harms the CLI.
   */
  readonly hookCommand: HookCommand;
  /** Random; for CLIs that let us choose the session id. */
  readonly newConversation: string;
  /** A free port of loopback; for CLIs that are told at the start where to listen. */
  readonly freePort: number;
}

/** How one life was started, as the ledger keeps it. */
export interface LaunchedAs {
  readonly version: string | undefined;
  readonly extraArgs: readonly string[];
}

/** The MCP server named `signalbox`, as the CLI is told to reach it. */
export interface ToolServer {
  /** Over stdio: a program that takes its identity from the agent's environment … */
  readonly command: string;
  readonly args: readonly string[];
  /** … in these variables, for CLIs that hand on only what they are told to. */
  readonly variables: readonly string[];
  /** Instead, over HTTP on loopback; the token is the value of this variable. */
  readonly http?: { readonly url: string; readonly tokenVariable: string };
  /** How long one call may take, at most; milliseconds. */
  readonly timeoutMs: number;
}

export interface LaunchPlan {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Written 0600 into the run folder before the start. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly helpers: readonly HelperProgram[];
  /** Folders of links, for a CLI that takes something for one run only from a home of its own. */
  readonly overlays?: readonly Overlay[];
  /** Known before the start, where we may choose it. */
  readonly conversation?: string;
  /** What a person should know of this start, in words. */
  readonly remarks?: readonly string[];
  /** What was asked for and this start cannot give. */
  readonly lacks?: readonly Lack[];
}

/** `tools` are signalbox's own; the others are named as in the role. */
export type Lack =
  | 'tools'
  | 'instructions'
  | 'permission'
  | 'allowedTools'
  | 'mcpServers'
  | 'approvals';

/** Made by the fleet before the files are written. Nothing is changed where the links lead. */
export interface Overlay {
  /** A folder of the user's; one that is not there has nothing to link. */
  readonly from: string;
  /** Below the run folder. */
  readonly to: string;
  /** Each entry is linked but these, */
  readonly except?: readonly string[];
  /** or these alone. */
  readonly only?: readonly string[];
}
