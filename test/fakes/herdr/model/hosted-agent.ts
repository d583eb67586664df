import type { Json } from '../wire/json.ts';

export type State = 'idle' | 'working' | 'blocked' | 'unknown';
export type Status = State | 'done';

/** Who last told the state of a pane's agent, and what. */
export interface Authority {
  readonly source: string;
  readonly label: string;
  readonly state: State;
}

/**
 * What is known of the agent in a pane: by its process, by reports, or by a name that it was
 * started with. A pane without any of these hosts none.
 */
export class Hosted {
  /** The kind of the process in the foreground. */
  detected: string | undefined;
  /**
   * The kind that was last seen to end here; its reports are stale until a process is seen again.
   */
  exited: string | undefined;
  /** The kind whose end nobody will notice, since a client has released it while it ran (H7). */
  unwatched: string | undefined;
  authority: Authority | undefined;
  session: Json | undefined;
  /** The session whose start was told; a full integration is believed in that one alone (H6). */
  begun: unknown;
  name: string | undefined;
  isLaunching = false;
  isReady = false;
  state: State = 'unknown';
  /** Whether somebody has looked since it finished: idle and unseen is `done`. */
  isSeen = true;
  /** The server's count of changes at its latest one. */
  changes = 0;
  /** Last accepted sequence number of each source that reports states or sessions. */
  readonly sequences = new Map<string, number>();

  /** What was reported comes first, even where the process says otherwise. */
  get label(): string | undefined {
    return (this.isAuthorityEffective ? this.authority?.label : undefined) ?? this.detected;
  }

  get isAgent(): boolean {
    return this.name !== undefined || this.label !== undefined;
  }

  get status(): Status {
    return this.state === 'idle' && !this.isSeen ? 'done' : this.state;
  }

  /** A known agent whose screen matches no rule is idle in herdr; the fake reads no screens. */
  get wantedState(): State {
    const told = this.isAuthorityEffective ? this.authority?.state : undefined;
    return told ?? (this.detected === undefined ? 'unknown' : 'idle');
  }

  /** Its integration is a full authority, and the screen is not looked at. */
  get isScreenSkipped(): boolean {
    const { authority } = this;
    return authority !== undefined && this.isAuthorityEffective && isFull(authority);
  }

  get isAuthorityEffective(): boolean {
    const { authority } = this;
    return !authority || !isFull(authority) || this.detected === authority.label;
  }

  /**
   * A number at or below the last one is stale, and so is none at all from a source that has given
   * one before.
   */
  accept(source: string, sequence: number | undefined): boolean {
    const last = this.sequences.get(source);
    if (sequence === undefined) return last === undefined;
    if (last !== undefined && sequence <= last) return false;
    this.sequences.set(source, sequence);
    return true;
  }

  /**
   * The process is gone, and with it what was told about it; a label of one's own outlives it (H7).
   */
  exit(keepsOwnLabel: boolean): void {
    const { detected, authority } = this;
    this.exited = detected;
    this.detected = undefined;
    if (authority && (authority.label === detected || !keepsOwnLabel)) {
      this.sequences.delete(authority.source);
      this.authority = undefined;
    }
    if (this.session?.['agent'] === detected) this.session = undefined;
    this.forgetName();
  }

  forgetName(): void {
    this.name = undefined;
    this.isLaunching = false;
    this.isReady = false;
  }
}

export function statusOf(agent: Hosted | undefined): Status {
  return agent?.status ?? 'unknown';
}

/** What a tab or a workspace shows for all its panes. */
export function rollUp(statuses: readonly Status[]): Status {
  return ranked.find((status) => statuses.includes(status)) ?? 'unknown';
}

const ranked: readonly Status[] = ['blocked', 'done', 'working', 'idle', 'unknown'];

interface Pair {
  readonly source: string;
  readonly label: string;
}

/** These integrations tell everything about their agent. */
export function isFull({ source, label }: Pair): boolean {
  return full.includes(label) && source === `herdr:${label}`;
}

const full = ['pi', 'omp', 'mastracode', 'opencode', 'kilo', 'kimi'];

/** Those that herdr ships; only they can tell of a session. */
export function isOfficial({ source, label }: Pair): boolean {
  return integrated.includes(label) && source === `herdr:${sourceNames[label] ?? label}`;
}

const integrated = [
  ...full,
  ...[
    'claude',
    'codex',
    'copilot',
    'devin',
    'droid',
    'hermes',
    'qodercli',
    'cursor',
    'agy',
    'grok',
  ],
];
const sourceNames: Readonly<Record<string, string>> = { agy: 'antigravity_cli' };

/** Official ones whose states are not believed (herdr 0.8.0; 0.6.8). */
export function isStateRefused(pair: Pair, isOld: boolean): boolean {
  return isOfficial(pair) && (isOld ? refusedIn068 : refused).includes(pair.label);
}

const refused = ['hermes', 'agy'];
const refusedIn068 = ['claude', 'codex', 'copilot', 'droid', 'qodercli', 'cursor'];

export const kinds = [
  ...['pi', 'claude', 'codex', 'gemini', 'cursor', 'devin', 'agy', 'cline', 'omp', 'mastracode'],
  ...['opencode', 'copilot', 'kimi', 'kiro', 'droid', 'amp', 'grok', 'hermes', 'kilo', 'qodercli'],
  'maki',
];
