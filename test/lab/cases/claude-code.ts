import type { LabCase } from './case.ts';

/** Claude Code 2.1.325. */
export const claudeCode: LabCase = {
  name: 'claude-code',
  // Ten attempts otherwise, even for a 401.
  env: { CLAUDE_CODE_MAX_RETRIES: '1' },
  denyKeys: ['Escape'],
  interruptKeys: ['Escape'],
  failure: { detail: /authentication_failed/, withinMs: 15_000, after: ['/clear'] },
  exit: '/exit',
  spares: { 'daemon-begun': 'a reply of a hook is begun and done in one step' },
};
