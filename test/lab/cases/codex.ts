import type { LabCase } from './case.ts';

/** Codex 0.166.0. */
export const codex: LabCase = {
  name: 'codex',
  denyKeys: ['Escape'],
  interruptKeys: ['Escape'],
  // A 401 is tried six times, for about 7 s.
  failure: { detail: /401/, withinMs: 30_000, after: ['/new'] },
  exit: '/exit',
  // On an app-server of its own it asks nothing: the folder stays untrusted and read-only. This
  // option goes without one.
  trustArgs: ['-C', '.'],
};
