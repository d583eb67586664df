import type { CliName } from '../versions.ts';

/** How messages must go into each CLI: a paste where there is a native route is a failure. */
export interface DeliveryTraits {
  readonly idle: 'native' | 'paste';
  readonly busy: 'native' | 'turn-boundary';
  /** Begins a new conversation. */
  readonly clear: string;
  /** It tells of it only with the first prompt in it: restarted before that, it goes on with the one before. */
  readonly isClearedLate?: true;
  /** Answers a permission with yes, once. */
  readonly allowKeys: readonly string[];
  /** Empties the composer of a one-line draft. */
  readonly emptyKeys: readonly string[];
}

const native = { idle: 'native', busy: 'native' } as const;
const keys = { allowKeys: ['Enter'], emptyKeys: ['C-u'] } as const;

export const traits: Readonly<Record<CliName, DeliveryTraits>> = {
  'claude-code': { idle: 'native', busy: 'turn-boundary', clear: '/clear', ...keys },
  codex: { ...native, clear: '/clear', ...keys },
  gemini: { idle: 'paste', busy: 'turn-boundary', clear: '/clear', ...keys },
  opencode: { ...native, clear: '/new', isClearedLate: true, ...keys },
  copilot: { ...native, clear: '/clear', isClearedLate: true, ...keys },
  qwen: { ...native, clear: '/clear', ...keys },
  kimi: { idle: 'paste', busy: 'turn-boundary', clear: '/new', ...keys },
};
