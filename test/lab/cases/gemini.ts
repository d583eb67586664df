import type { LabCase } from './case.ts';

/** Gemini CLI 0.61.0. */
export const gemini: LabCase = {
  name: 'gemini',
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
  failure: { prompt: '@@fail 401', detail: /api/, withinMs: 15_000 },
  // It takes a refused prompt out of the conversation by itself.
  afterFailure: [],
  interrupt: { prompt: '@@stream 3000 words 20ms', keys: ['Escape'] },
  exit: { text: '/quit', code: 0 },
  resumes: true,
};
