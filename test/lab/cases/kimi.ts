import type { LabCase } from './case.ts';

/** Kimi Code 2.1.0. */
export const kimi: LabCase = {
  name: 'kimi',
  denyKeys: ['Escape'],
  interruptKeys: ['Escape'],
  failure: { detail: /^APIStatusError: 401\b/, withinMs: 30_000, after: ['/new'] },
  exit: '/exit',
};
