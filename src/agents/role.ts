import type { Permission } from './permission.ts';

/**
 * What a profile makes of an agent; kept with it, so that a restart asks its CLI for the same.
 * Holds no environment (rule 40).
 */
export interface Role {
  readonly profile?: string;
  /** Its file, from which a restart reads the variables again. */
  readonly profilePath?: string;
  /**
   * Of a project's profile: the content that the user had trusted. A restart asks whether that
   * still holds (rule 46).
   */
  readonly trusted?: TrustedSource;
  /** For its model, beside the user's own instructions. */
  readonly instructions?: string;
  readonly permission?: Permission;
  /** The CLI's own name of a mode, where the profile uses that. */
  readonly permissionMode?: string;
  /** In the CLI's own words, beside signalbox's own tools. */
  readonly allowedTools?: readonly string[];
  /** MCP servers of the profile, as `{ name: { command, args, env } | { url, headers } }`. */
  readonly mcpServers?: Readonly<Record<string, McpServer>>;
  /** Its tools come over HTTP on loopback instead of a proxy over stdio. */
  readonly isOverHttp?: boolean;
  /**
   * What it asks can be answered from elsewhere also where its CLI asks a person about that first.
   */
  readonly hasRemoteApprovals?: boolean;
  /** Tasks of its parent arrive as prompts (rule 51). */
  readonly takesTasksAsPrompts?: boolean;
  /** How long it rests before it is stopped, where it was launched for a task; 0: never. */
  readonly idleStopMs?: number;
  /**
   * Only of one that an agent added by name or for a one-shot command: the folder that counts as
   * its own when it launches others. It may run elsewhere; what it launches may not.
   */
  readonly launchesIn?: string;
}

/** What one that an agent adds has of a role: no profile made it. */
export type AddedRole = Pick<Role, 'permission' | 'launchesIn'>;

/** One record of trust: this content, under this path, as this kind of file. */
export interface TrustedSource {
  readonly path: string;
  readonly kind: 'profile' | 'claude-agent' | 'worktree-list';
  readonly sha256: string;
}

type McpServer =
  | {
      readonly command: string;
      readonly args?: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
    }
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> };

/** The git worktree that was made for one agent. */
export interface Worktree {
  readonly path: string;
  readonly branch: string;
  /** The repository's own working tree, from which it was made. */
  readonly repository: string;
  /** The commit it began with. */
  readonly base: string;
}
