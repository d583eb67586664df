import type { CliName } from '../versions.ts';

/** How messages must go into each CLI: a paste where there is a native route is a failure. */
export interface DeliveryTraits {
  readonly idle: 'native' | 'paste';
  readonly busy: 'native' | 'turn-boundary';
  /** Begins a new conversation. */
  readonly clear: string;
  /**
   * It tells of it only with the first prompt in it: restarted before that, it goes on with the one
   * before.
   */
  readonly isClearedLate?: true;
  /** Does the same by its other name, where the CLI has two. */
  readonly fresh: string;
  /** Opens the list of earlier conversations, and what is then on the screen. */
  readonly resume: string;
  readonly picker: RegExp;
  /** Answers a permission with yes, once. */
  readonly allowKeys: readonly string[];
  /** Empties the composer of a one-line draft. */
  readonly emptyKeys: readonly string[];
  /** Empties it of a draft of several lines. */
  readonly emptyAllKeys: readonly string[];
}

const native = { idle: 'native', busy: 'native' } as const;
const keys = { allowKeys: ['Enter'], emptyKeys: ['C-u'], emptyAllKeys: ['C-c'] } as const;
const picks = {
  fresh: '/new',
  resume: '/resume',
  picker: /Resume (?:a previous )?session|Sessions/i,
};

export const traits: Readonly<Record<CliName, DeliveryTraits>> = {
  'claude-code': { idle: 'native', busy: 'turn-boundary', clear: '/clear', ...picks, ...keys },
  codex: { ...native, clear: '/clear', ...picks, ...keys },
  gemini: { idle: 'paste', busy: 'turn-boundary', clear: '/clear', ...picks, ...keys },
  opencode: {
    ...{ ...native, clear: '/clear', isClearedLate: true },
    ...{ ...picks, resume: '/sessions', ...keys },
  },
  copilot: {
    ...{ idle: 'native', busy: 'turn-boundary', clear: '/clear', isClearedLate: true },
    ...{ ...picks, ...keys },
  },
  qwen: { ...native, clear: '/clear', ...picks, ...keys },
  kimi: { idle: 'paste', busy: 'turn-boundary', clear: '/clear', ...picks, ...keys },
};
