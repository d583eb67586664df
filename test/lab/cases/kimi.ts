import type { LabCase } from './case.ts';

/** Kimi Code 2.1.0. */
export const kimi: LabCase = {
  name: 'kimi',
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
  failure: { prompt: '@@fail 401', detail: /^authentication$/, withinMs: 30_000 },
  afterFailure: ['/new'],
  interrupt: { prompt: '@@stream 3000 words 20ms', keys: ['Escape'] },
  exit: { text: '/exit', code: 0 },
  resumes: true,
};
