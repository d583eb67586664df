import type { LabCase } from './case.ts';

/** GitHub Copilot CLI 1.0.102. */
export const copilot: LabCase = {
  name: 'copilot',
  denyKeys: ['Escape'],
  // One Escape only warns.
  interruptKeys: ['Escape', 'Escape'],
  interruptHint: /esc again to/,
  // Even a 401 is tried several times.
  failure: { detail: /^authentication$/, withinMs: 60_000, after: ['/clear'] },
  exit: '/exit',
};
