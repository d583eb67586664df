import type { LabCase } from './case.ts';

/** Claude Code 2.1.325. */
export const claudeCode: LabCase = {
  name: 'claude-code',
  wish: { trust: 'granted', login: 'done', approvals: 'ask' },
  // Ten attempts otherwise, even for a 401.
  env: { CLAUDE_CODE_MAX_RETRIES: '1' },
  slow: { prompt: '@@sleep 6 @@say a slow answer', answer: 'a slow answer' },
  permission: {
    prompt: '@@tool touch asked-for.txt @@say after the tool',
    answer: 'after the tool',
    file: 'asked-for.txt',
    detail: 'permission',
    denyKeys: ['Escape'],
  },
  failure: { prompt: '@@fail 401', detail: /authentication_failed/, withinMs: 15_000 },
  afterFailure: ['/clear'],
  interrupt: { prompt: '@@stream 3000 words 20ms', keys: ['Escape'] },
  exit: { text: '/exit', code: 0 },
  resumes: true,
};
