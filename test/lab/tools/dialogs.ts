import type { CliName } from '../versions.ts';

/**
 * Where nothing allows our tools alone: the keys with which a person allows one for the
 * conversation.
 */
export const dialogs: Readonly<Partial<Record<CliName, readonly string[]>>> = { kimi: ['2'] };
