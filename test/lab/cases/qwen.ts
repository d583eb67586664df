import type { LabCase } from './case.ts';

/** Qwen Code 0.24.4. */
export const qwen: LabCase = {
  name: 'qwen',
  denyKeys: ['Escape'],
  interruptKeys: ['Escape'],
  failure: { detail: /401/, withinMs: 15_000, after: ['/clear'] },
  exit: '/quit',
};
