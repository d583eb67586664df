import type { Json } from '../wire/json.ts';

export type State = 'idle' | 'working' | 'blocked' | 'unknown';
export type Status = State | 'done';

/** The agent in a pane, as detected or reported. */
export interface Hosted {
  readonly label: string;
  name: string | undefined;
  state: State;
  /** Whether somebody has looked since it finished: idle and unseen is `done`. */
  isSeen: boolean;
  /** Counts its changes of state. */
  changes: number;
  /** Found by its process, so it leaves with the process. */
  isDetected: boolean;
  isLaunching: boolean;
  isReady: boolean;
  session: Json | undefined;
  source: string | undefined;
}

export function newHosted(label: string, parts: Partial<Hosted> = {}): Hosted {
  return {
    label,
    name: undefined,
    state: 'unknown',
    isSeen: true,
    changes: 0,
    isDetected: false,
    isLaunching: false,
    isReady: false,
    session: undefined,
    source: undefined,
    ...parts,
  };
}

export function statusOf(agent: Hosted | undefined): Status {
  if (!agent) return 'unknown';
  return agent.state === 'idle' && !agent.isSeen ? 'done' : agent.state;
}

/** What a tab or a workspace shows for all its panes. */
export function rollUp(statuses: readonly Status[]): Status {
  return ranked.find((status) => statuses.includes(status)) ?? 'unknown';
}

const ranked: readonly Status[] = ['blocked', 'done', 'working', 'idle', 'unknown'];

/** These sources are full authorities over their agent: a release waits for the end of the process. */
export function isOfficial(source: string, label: string): boolean {
  return official.includes(label) && source === `herdr:${label}`;
}

const official = ['pi', 'omp', 'mastracode', 'opencode', 'kilo', 'kimi'];

export const kinds = [
  ...['pi', 'claude', 'codex', 'gemini', 'cursor', 'devin', 'agy', 'cline', 'omp', 'mastracode'],
  ...['opencode', 'copilot', 'kimi', 'kiro', 'droid', 'amp', 'grok', 'hermes', 'kilo', 'qodercli'],
  'maki',
];
