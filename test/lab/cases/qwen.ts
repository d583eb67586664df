import type { LabCase } from './case.ts';

/** Qwen Code 0.24.4. */
export const qwen: LabCase = {
  name: 'qwen',
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
  // The refused prompt stays in the conversation and would ride with the next one.
  afterFailure: ['/clear'],
  interrupt: { prompt: '@@stream 3000 words 20ms', keys: ['Escape'] },
  exit: { text: '/quit', code: 0 },
  resumes: true,
};
