import type { CliName } from '../versions.ts';

/** How one CLI is brought to ask, and how a person answers it at its terminal. */
export interface Asking {
  /** What carries the answer, for the table. */
  readonly channel: string;
  /** A prompt by which the mock calls the CLI's own shell tool, which makes this file. */
  readonly prompt: (file: string) => string;
  /** Its dialog is on the screen: some tell of the question before they draw it. */
  readonly dialog: RegExp;
  /** Its sub-agents ask beside a conversation that rests, and draw no dialog while a hook runs. */
  readonly hidesSubAgents?: true;
  /** Say yes, once. */
  readonly yesKeys: readonly string[];
  /** It asks a person at its start whether it may be answered so, where its profile wants that. */
  readonly consent?: Consent;
}

/** A dialog, and how a person agrees to it. */
export interface Consent {
  readonly dialog: RegExp;
  readonly keys: readonly string[];
}

const prompt = (file: string): string => `@@tool touch ${file} @@say after`;

/** A CLI with a channel for answers is one more line here. */
export const askers: Readonly<Partial<Record<CliName, Asking>>> = {
  'claude-code': {
    channel: 'its PermissionRequest hook',
    hidesSubAgents: true,
    ...{ prompt, dialog: /Do you want to proceed/, yesKeys: ['Enter'] },
  },
  codex: {
    channel: 'its app-server',
    ...{ prompt, dialog: /Would you like to run/, yesKeys: ['Enter'] },
  },
  opencode: {
    channel: 'its HTTP API',
    ...{ prompt, dialog: /△ Permission required/, yesKeys: ['Enter'] },
  },
  copilot: {
    channel: 'an extension of ours, with `approvals: remote`',
    ...{ prompt, dialog: /Do you want to run this command/, yesKeys: ['Enter'] },
    consent: { dialog: /wants elevated permissions/, keys: ['Enter'] },
  },
  qwen: {
    channel: 'its event and input files',
    ...{ prompt, dialog: /Allow execution of/, yesKeys: ['Enter'] },
  },
};
