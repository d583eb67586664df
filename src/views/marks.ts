import type { AgentView } from '../protocol/agents.ts';
import type { PageMessage } from '../protocol/page.ts';
import type { Faring } from './judge-message.ts';

/** A status is told by shape and word; the tone only helps. */
export type Shape =
  | 'ring'
  | 'disc'
  | 'half'
  | 'dots'
  | 'triangle'
  | 'tick'
  | 'cross'
  | 'bar'
  | 'question';

type Tone = 'work' | 'rest' | 'ask' | 'bad' | 'faint';

export interface Mark {
  readonly shape: Shape;
  readonly tone: Tone;
}

export const statusMarks: Readonly<Record<AgentView['status'], Mark>> = {
  starting: { shape: 'dots', tone: 'faint' },
  idle: { shape: 'ring', tone: 'rest' },
  processing: { shape: 'disc', tone: 'work' },
  waiting: { shape: 'triangle', tone: 'ask' },
  completed: { shape: 'tick', tone: 'rest' },
  error: { shape: 'cross', tone: 'bad' },
  exited: { shape: 'bar', tone: 'faint' },
  unknown: { shape: 'question', tone: 'faint' },
};

const stateShapes: Readonly<Record<PageMessage['state'], Shape>> = {
  queued: 'ring',
  claimed: 'dots',
  injected: 'half',
  seen: 'disc',
  acked: 'tick',
  uncertain: 'question',
  superseded: 'bar',
  expired: 'cross',
  dead: 'cross',
};

const faringTones: Readonly<Record<Faring, Tone>> = {
  moving: 'work',
  waiting: 'work',
  stuck: 'ask',
  lost: 'bad',
  unproven: 'faint',
  done: 'rest',
};

export function stateMark(state: PageMessage['state'], faring: Faring): Mark {
  return { shape: stateShapes[state], tone: faringTones[faring] };
}
