import { ApiError } from '../wire/api-error.ts';
import type { Json } from '../wire/json.ts';
import type { Workspace } from './panes.ts';
import type { Session } from './session.ts';

/**
 * What ties a workspace to a repository; it comes with `worktree.create` and `worktree.open` alone.
 */
export interface Membership {
  readonly key: string;
  readonly name: string;
  readonly root: string;
  readonly checkout: string;
  readonly isLinked: boolean;
}

export function worktreeInfo({ worktree }: Workspace): Json {
  if (!worktree) return {};
  const { key, name, root, checkout, isLinked } = worktree;
  return {
    worktree: {
      repo_key: key,
      repo_name: name,
      repo_root: root,
      checkout_path: checkout,
      is_linked_worktree: isLinked,
    },
  };
}

/**
 * What a close of the workspace closes: with the main checkout of a repository all its worktrees
 * go.
 */
export function closingGroup(session: Session, workspace: Workspace): readonly Workspace[] {
  const { worktree } = workspace;
  if (!worktree || worktree.isLinked) return [workspace];
  return session.workspaces.filter((other) => other.worktree?.key === worktree.key);
}

/** Whoever closes a last tab or pane may not know what hangs on it. */
export function refuseGroupClose(session: Session, workspace: Workspace, what: string): void {
  if (closingGroup(session, workspace).length < 2) return;
  const message = `closing this ${what} would close a worktree group`;
  throw new ApiError('confirmation_required', message);
}
