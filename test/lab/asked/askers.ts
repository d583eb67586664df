import type { CliName } from '../versions.ts';

/** How one CLI is brought to ask, and how a person answers it at its terminal. */
export interface Asking {
  /** What carries the answer, for the table. */
  readonly channel: string;
  /** A prompt by which the mock calls the CLI's own shell tool, which makes this file. */
  readonly prompt: (file: string) => string;
  /** Say yes, once. */
  readonly yesKeys: readonly string[];
}

const prompt = (file: string): string => `@@tool touch ${file} @@say after`;

/** A CLI with a channel for answers is one more line here. */
export const askers: Readonly<Partial<Record<CliName, Asking>>> = {
  'claude-code': { channel: 'its PermissionRequest hook', prompt, yesKeys: ['Enter'] },
  codex: { channel: 'its app-server', prompt, yesKeys: ['Enter'] },
  opencode: { channel: 'its HTTP API', prompt, yesKeys: ['Enter'] },
  qwen: { channel: 'its event and input files', prompt, yesKeys: ['Enter'] },
};
