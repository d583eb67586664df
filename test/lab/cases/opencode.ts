import type { LabCase } from './case.ts';

/** OpenCode 1.18.33. */
export const opencode: LabCase = {
  name: 'opencode',
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
  failure: { prompt: '@@fail 401', detail: /401/, withinMs: 15_000 },
  afterFailure: ['/new'],
  // One Escape only warns.
  interrupt: { prompt: '@@stream 3000 words 20ms', keys: ['Escape', 'Escape'] },
  exit: { text: '/exit', code: 0 },
  resumes: true,
  spares: { trust: 'it asks about no folder' },
};
