/**
 * An agent's environment without what would turn its git at another repository than its worktree's:
 * whoever launches it from a hook of git has GIT_DIR set. What a person sets for all repositories
 * (GIT_AUTHOR_NAME, GIT_SSH_COMMAND …) stays.
 */
export function leaveRepository(
  env: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !ofOneRepository.has(name)));
}

/** `git rev-parse --local-env-vars` of git 2.39, without those of its configuration. */
const ofOneRepository: ReadonlySet<string> = new Set([
  ...['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_COMMON_DIR', 'GIT_PREFIX'],
  ...['GIT_OBJECT_DIRECTORY', 'GIT_ALTERNATE_OBJECT_DIRECTORIES', 'GIT_NAMESPACE'],
  ...['GIT_IMPLICIT_WORK_TREE', 'GIT_INTERNAL_SUPER_PREFIX'],
  ...['GIT_GRAFT_FILE', 'GIT_SHALLOW_FILE'],
]);
