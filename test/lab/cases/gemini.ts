import type { LabCase } from './case.ts';

/** Gemini CLI 0.61.0. It takes a refused prompt out of the conversation by itself. */
export const gemini: LabCase = {
  name: 'gemini',
  denyKeys: ['Escape'],
  interruptKeys: ['Escape'],
  failure: { detail: /api/, withinMs: 15_000, after: [] },
  exit: '/quit',
};
