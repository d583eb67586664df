import type { LabCase } from './case.ts';

/** GitHub Copilot CLI 1.0.102. */
export const copilot: LabCase = {
  name: 'copilot',
  wish: { trust: 'granted', login: 'done', approvals: 'ask' },
  env: {},
  slow: { prompt: '@@sleep 6 @@say a slow answer', answer: 'a slow answer' },
  permission: {
    prompt: '@@tool touch asked-for.txt @@say after the tool',
    answer: 'after the tool',
    file: 'asked-for.txt',
    detail: 'permission',
    denyKeys: ['Escape'],
  },
  // Even a 401 is tried several times.
  failure: { prompt: '@@fail 401', detail: /^authentication$/, withinMs: 60_000 },
  afterFailure: ['/clear'],
  // One Escape only warns.
  interrupt: { prompt: '@@stream 3000 words 20ms', keys: ['Escape', 'Escape'] },
  exit: { text: '/exit', code: 0 },
  resumes: true,
};
