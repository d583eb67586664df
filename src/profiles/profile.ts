import type { Permission } from '../agents/permission.ts';
import type { Role } from '../agents/role.ts';
import type { Fault } from '../shared/fault.ts';
import type { WorkingFile } from '../trust/working-file.ts';

/** Where a profile was found, nearest first. */
export type ProfileOrigin = 'project' | 'claude-agents' | 'user' | 'built-in';

/**
 * A description of an agent to be: a Markdown file whose front matter says how it is started and
 * whose body instructs it.
 */
export interface Profile {
  readonly name: string;
  readonly description: string;
  readonly origin: ProfileOrigin;
  readonly path: string;
  /**
   * Of one that came from a working folder: the bytes that it was read from, by which it is judged
   * (rule 46).
   */
  readonly source?: WorkingFile;
  /** Undefined: the setting `default-provider`. */
  readonly provider?: string;
  readonly model?: string;
  /**
   * What it is in a team; a label, and for an empty body the built-in whose instructions it takes.
   */
  readonly role?: string;
  readonly instructions: string;
  readonly permission?: Permission;
  readonly permissionMode?: string;
  readonly allowedTools: readonly string[];
  readonly mcpServers: NonNullable<Role['mcpServers']>;
  readonly env: Readonly<Record<string, string>>;
  readonly worktree?: boolean;
  readonly notify?: boolean;
  readonly isOverHttp?: boolean;
  /** What its agent asks can be answered from elsewhere, also where that costs a question first. */
  readonly hasRemoteApprovals?: boolean;
  /** Tasks of its parent arrive as prompts; of the user's own and built-in ones alone (rule 51). */
  readonly takesTasksAsPrompts?: boolean;
  /** How long a worker of it rests before it is stopped; 0: never. Undefined: the setting. */
  readonly idleStopMs?: number;
  readonly tags: readonly string[];
  /** Fields that nobody here knows, as they stand in the file. */
  readonly unknown: Readonly<Record<string, unknown>>;
  /** What a person should know of it; it can be used all the same. */
  readonly remarks: readonly string[];
}

/**
 * A file that cannot be used is listed with its trouble, by the name of its file, and hides no
 * other.
 */
export type FoundProfile =
  | { readonly outcome: 'usable'; readonly profile: Profile }
  | {
      readonly outcome: 'broken';
      readonly name: string;
      readonly origin: ProfileOrigin;
      readonly path: string;
      readonly trouble: Fault;
      /**
       * The system could not read it, so that nobody knows what names it holds: a file, or a whole
       * folder.
       */
      readonly isUnread?: true;
    };

export function nameOf(found: FoundProfile): string {
  return found.outcome === 'usable' ? found.profile.name : found.name;
}

export function originOf(found: FoundProfile): ProfileOrigin {
  return found.outcome === 'usable' ? found.profile.origin : found.origin;
}

export function pathOf(found: FoundProfile): string {
  return found.outcome === 'usable' ? found.profile.path : found.path;
}
