// Tests: src/shared/git-root.test.ts, test/contracts/fleet-workers.test.ts,
// test/contracts/installed-programs.alone.test.ts.

/** Of a disk or a system in trouble: they say nothing about what lies there (rule 41). */
const codes: ReadonlySet<unknown> = new Set([
  ...['EIO', 'EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'EAGAIN', 'EINTR'],
  // It takes nothing: full, a quota that is used up, or mounted read-only.
  ...['ENOSPC', 'EDQUOT', 'EROFS'],
  // A volume that is gone, or far away.
  ...['ESTALE', 'ENODEV', 'ETIMEDOUT'],
]);

export function isDiskTrouble(error: unknown): error is { readonly code: string } {
  return codes.has((error as NodeJS.ErrnoException).code);
}

/** Whether it, or what it was thrown for, is one: a `Fault` tells in words what its cause says. */
export function isForDiskTrouble(error: unknown): boolean {
  const seen = new Set<unknown>();
  for (let at = error; at instanceof Error && !seen.has(at); at = at.cause) {
    if (isDiskTrouble(at)) return true;
    seen.add(at);
  }
  return false;
}
