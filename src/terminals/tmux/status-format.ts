import type { AgentStatus } from '../../agents/agent.ts';
import { cellWidth, shorten } from '../../shared/cell-width.ts';
import { revealLine } from '../../shared/reveal.ts';
import type { MoreShown } from '../backend.ts';
import { shownKey } from './attach-key.ts';

export interface ShownAgent extends MoreShown {
  readonly status: AgentStatus;
}

/** Hidden variables of a session, and of all, that the formats below read. */
export const variables = {
  /** `shop/lead waiting: trust` */
  agent: 'SIGNALBOX_SHOWN',
  /** The same for a window of less than 80 columns. */
  brief: 'SIGNALBOX_BRIEF',
  /** Of one session: its own agent is among those that wait. */
  waits: 'SIGNALBOX_WAITS',
  /** How many wait, in all backends. */
  waiting: 'SIGNALBOX_WAITING',
} as const;

/**
 * tmux shortens the list of windows first, then the right side, which holds the key, then the left.
 * So the left side leaves room for the longest right one (33 columns) in a window of 60.
 */
export const narrow = 26;
export const wide = 46;

/**
 * `shop/lead waiting: trust`, in so many columns: the detail goes first, then the end of the name.
 * tmux draws `#[…]` in the text as a style; all else in a variable is only text. A doubled sign
 * could be cut in half, so another sign that looks like it stands there.
 */
export function describeShown({ name, status, detail }: ShownAgent, columns: number): string {
  const plain = (text: string): string => revealLine(text).replaceAll('#', '＃');
  const room = columns - status.length - 1;
  const called = plain(name);
  const short = cellWidth(called) <= room ? called : `${shorten(called, room - 1)}…`;
  const whole = `${short} ${status}`;
  const more = detail === undefined ? '' : `: ${plain(detail)}`;
  return cellWidth(whole + more) <= columns ? whole + more : whole;
}

/** Our client in the hub: without it, nobody tells what agents do. */
const daemonIsThere = '#{m:*1*,#{S:#{?@sbx-hub,#{session_attached},}}}';

const wideEnough = '#{e|>=|:#{client_width},80}';
const agent = `#{?${wideEnough},#{${variables.agent}},#{${variables.brief}}}`;

/** In a session that shows no agent: its name, as ever. */
const noDaemon = '#{=/12/…:session_name}: no daemon';
export const statusLeft = ` #{?${variables.agent},#{?${daemonIsThere},${agent},${noDaemon}},#{session_name}} `;

const others = `#{e|-|:#{${variables.waiting}},#{?${variables.waits},1,0}}`;
const isSomebody = `#{e|>|:${others},0}`;
const isOne = `#{e|==|:${others},1}`;
const waitingOthers = `#{?${isOne},1 other waits,${others} others wait}`;

/** Without a key of ours, tmux's own way out. */
export const statusRight = `#{?${isSomebody},${waitingOthers} · ,}#{?${shownKey},#{${shownKey}} returns,Ctrl-b d returns} `;

/** A session with one window needs no list of them. */
export const windowStatus =
  '#{?#{e|>|:#{session_windows},1},#I:#W#{?window_flags,#{window_flags}, },}';
