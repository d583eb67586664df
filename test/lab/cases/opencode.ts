import type { LabCase } from './case.ts';

/** OpenCode 1.18.33. */
export const opencode: LabCase = {
  name: 'opencode',
  denyKeys: ['Escape'],
  // One Escape only warns.
  interruptKeys: ['Escape', 'Escape'],
  failure: { detail: /401/, withinMs: 15_000, after: ['/new'] },
  exit: '/exit',
  spares: { trust: 'it asks about no folder' },
};
