import type { Permission } from '../agents/permission.ts';

/** One profile, or a file that cannot be used as one. */
export interface ProfileView {
  readonly name: string;
  readonly origin: 'project' | 'claude-agents' | 'user' | 'built-in';
  readonly path: string;
  /** A nearer one of the same name is used in its place. */
  readonly hidden?: true;
  /** The name to launch it by, where the bare name is also another owner's: `project:reviewer`. */
  readonly launchAs?: string;
  /** Of one of the project's: whether the user trusts it as it is now. */
  readonly trusted?: boolean;
  /** Why it cannot be used. */
  readonly trouble?: string;
  readonly description?: string;
  /** With the default where it names none. */
  readonly provider?: string;
  readonly model?: string;
  readonly role?: string;
  readonly permission?: Permission;
  readonly permissionMode?: string;
  readonly allowedTools?: readonly string[];
  /** The names alone, as of variables: values may be secrets. */
  readonly mcpServers?: readonly string[];
  readonly env?: readonly string[];
  readonly worktree?: boolean;
  readonly notify?: boolean;
  readonly toolsOver?: 'http';
  readonly tags?: readonly string[];
  readonly unknown?: Readonly<Record<string, unknown>>;
  /** What is not as it could be; it can be used all the same. */
  readonly remarks?: readonly string[];
  /** In `profile show`. */
  readonly instructions?: string;
}
