import type { LabCase } from './case.ts';

/** Codex 0.166.0. */
export const codex: LabCase = {
  name: 'codex',
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
  // A 401 is tried six times, for about 7 s.
  failure: { prompt: '@@fail 401', detail: /401/, withinMs: 30_000 },
  afterFailure: ['/new'],
  interrupt: { prompt: '@@stream 3000 words 20ms', keys: ['Escape'] },
  exit: { text: '/exit', code: 0 },
  resumes: true,
  // On an app-server of its own it asks nothing: the folder stays untrusted and read-only. This option goes without one.
  trustArgs: ['-C', '.'],
};
