/**
 * Every setting: one line here, and it has a place in config.yaml, in the environment and in
 * `signalbox config`.
 */
export const definitions = {
  'body-limit': {
    about: 'largest message body that is accepted',
    form: 'size',
    default: 1024 * 1024,
    min: 1,
    max: 64 * 1024 * 1024,
  },
  retention: {
    about: 'how long settled messages with their keys, and removed agents, are kept',
    form: 'span',
    default: 14 * 86_400_000,
    min: 60_000,
    max: 3650 * 86_400_000,
  },
  'lock-wait': {
    about: 'longest wait for other processes that write to the ledger',
    form: 'span',
    default: 30_000,
    min: 0,
    max: 3_600_000,
  },
  'block-budget': {
    about: 'turns in a row that may be continued with messages before an agent is let go idle',
    form: 'count',
    default: 3,
    min: 0,
    max: 100,
  },
  'wake-budget': {
    about: 'turns within an hour that messages of other agents may begin',
    form: 'count',
    default: 60,
    min: 1,
    max: 100_000,
  },
  'script-budget': {
    about: 'turns within an hour that messages of your scripts may begin',
    form: 'count',
    default: 240,
    min: 1,
    max: 100_000,
  },
  'notice-after': {
    about: 'how long an agent that only pulls is idle with mail before one line tells it to drain',
    form: 'span',
    default: 10_000,
    min: 1000,
    max: 86_400_000,
  },
  'depth-limit': {
    about: 'generations of agents that agents may launch below one that you launched',
    form: 'count',
    default: 3,
    min: 0,
    max: 100,
  },
  'breadth-limit': {
    about: 'running children that one agent may have launched',
    form: 'count',
    default: 10,
    min: 0,
    max: 10_000,
  },
  'idle-stop': {
    about: 'how long a worker that `assign` launched rests before it is stopped; off: never',
    form: 'span',
    default: 30 * 60_000,
    min: 0,
    max: 365 * 86_400_000,
    off: 0,
  },
  'default-provider': {
    about: 'what a profile that names no provider is launched with',
    form: 'name',
    default: 'claude-code',
  },
  terminal: {
    about: "where agents' terminals live",
    form: 'choice',
    default: 'tmux',
    choices: ['tmux', 'herdr'],
  },
  'attach-key': {
    about: "key that leaves an attached agent's terminal in tmux: for example Ctrl-], F9, or off",
    form: 'key',
    default: 'Ctrl-]',
  },
  'herdr-session': {
    about: 'the herdr session that agents are in whose terminals live in herdr',
    form: 'text',
    default: 'signalbox',
  },
  'supervisors-answer': {
    about: 'supervisors, by full name, that may answer what agents below them ask: shop/lead',
    form: 'agents',
    default: '',
    // It is consent (rule 54), so no environment of a project's folder gives it.
    isFileOnly: true,
  },
  'desktop-notifications': {
    about: 'notifications on your desktop: auto shows them where that is possible',
    form: 'choice',
    default: 'auto',
    choices: ['auto', 'on', 'off'],
  },
  'on-attention': {
    about: 'command that is run when something needs you, with JSON on its stdin',
    form: 'command',
    default: '',
    // The environment of whoever starts the daemon may be that of a project's folder.
    isFileOnly: true,
  },
} as const;

export type SettingName = keyof typeof definitions;
type SettingValue<Name extends SettingName> = (typeof definitions)[Name]['form'] extends
  | 'agents'
  | 'choice'
  | 'command'
  | 'key'
  | 'name'
  | 'text'
  ? string
  : number;
export type SettingSource = 'environment' | 'config.yaml' | 'default';

export interface Setting<Value = number | string> {
  readonly name: SettingName;
  readonly about: string;
  /** Bytes, milliseconds, a count, a choice, a key, a name, a short text, or a command. */
  readonly value: Value;
  readonly text: string;
  readonly source: SettingSource;
}

export type Settings = { readonly [Name in SettingName]: Setting<SettingValue<Name>> };

/** The full names in the value of a setting. */
export function listNames(value: string): readonly string[] {
  return value.split(/[\s,]+/).filter((name) => name !== '');
}

/** What `--terminal` and its setting take. */
export const terminalChoices: readonly string[] = definitions.terminal.choices;

export const settingNames = Object.keys(definitions) as readonly SettingName[];

export function environmentName(name: SettingName): string {
  return `SIGNALBOX_${name.toUpperCase().replaceAll('-', '_')}`;
}

/** The user's own file alone says it. */
export function isFileOnly(name: SettingName): boolean {
  return 'isFileOnly' in definitions[name];
}
