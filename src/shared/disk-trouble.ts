// Tests: src/shared/git-root.test.ts, test/contracts/installed-programs.alone.test.ts.

/** Of a disk or a system in trouble: they say nothing about what lies there (rule 41). */
const codes: ReadonlySet<unknown> = new Set([
  ...['EIO', 'EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'EAGAIN', 'EINTR'],
  // A volume that is gone, or far away.
  ...['ESTALE', 'ENODEV', 'ETIMEDOUT'],
]);

export function isDiskTrouble(error: unknown): error is { readonly code: string } {
  return codes.has((error as NodeJS.ErrnoException).code);
}
