import { constants } from 'node:os';
import type { Command } from './command.ts';
import { equal, marks, titleFormat } from './identity.ts';
import type { AnswerBlock } from './link.ts';

/** One pane that carries our ledger's id. */
export interface Pane {
  readonly pane: string;
  readonly window: string;
  /** Every session that its window is linked into. */
  readonly sessions: readonly string[];
  /** Of the program in it now; undefined where tmux does not know it any more. */
  readonly pid: number | undefined;
  readonly isDead: boolean;
  readonly exitCode: number | undefined;
  readonly exitSignal: string | undefined;
  readonly agent: string;
  /** The agent whose helper runs here; then `agent` is empty. */
  readonly helper: string;
  readonly epoch: number;
  /** Of the program that we started in it. */
  readonly startedPid: number | undefined;
  readonly startedAt: string;
  readonly logPath: string;
  /** Its last screen is in the log. */
  readonly isNoted: boolean;
  /** The size it was launched with; empty for helpers and terminals of older versions. */
  readonly ownSize: string;
  /** Of its window now. */
  readonly windowSize: string;
  readonly title: string;
}

/** All of them in one command. A pane is listed once for each session its window is in. */
export function listPanesOf(ledgerId: string): Command {
  const filter = equal(`#{${marks.ledger}}`, ledgerId);
  return ['list-panes', '-a', '-f', filter, '-F', `p${columns.join('|')}`];
}

export function parsePanes(block: AnswerBlock | undefined): readonly Pane[] {
  const panes = new Map<string, Pane>();
  for (const line of block?.text.split('\n') ?? []) {
    const pane = line.startsWith('p') ? parsePane(line.slice(1)) : undefined;
    if (!pane) continue;
    const known = panes.get(pane.pane);
    panes.set(
      pane.pane,
      known ? { ...known, sessions: [...known.sessions, ...pane.sessions] } : pane,
    );
  }
  return [...panes.values()];
}

/** The title comes last: it is the program's own text and may hold anything but a line's end. */
const columns = [
  '#{pane_id}',
  '#{window_id}',
  '#{session_id}',
  '#{pane_pid}',
  '#{pane_dead}',
  '#{pane_dead_status}',
  '#{pane_dead_signal}',
  `#{${marks.agent}}`,
  `#{${marks.helper}}`,
  `#{${marks.epoch}}`,
  `#{${marks.pid}}`,
  `#{${marks.startedAt}}`,
  `#{${marks.log}}`,
  `#{${marks.noted}}`,
  `#{${marks.size}}`,
  '#{window_width}x#{window_height}',
  titleFormat,
];

function parsePane(line: string): Pane | undefined {
  const fields = line.split('|');
  if (fields.length < columns.length) return undefined;
  const [pane = '', window = '', session = '', pid = '', dead, status = '', signal = ''] = fields;
  const [agent = '', helper = '', epoch = '', startedPid = '', startedAt = '', log = '', noted] =
    fields.slice(7);
  const [ownSize = '', windowSize = ''] = fields.slice(14);
  return {
    pane,
    window,
    sessions: [session],
    pid: parseNumber(pid),
    isDead: dead === '1',
    exitCode: parseNumber(status),
    exitSignal: nameSignal(signal),
    agent,
    helper,
    epoch: Number(epoch),
    startedPid: parseNumber(startedPid),
    startedAt,
    logPath: decodeURI(log),
    isNoted: noted === '1',
    ownSize,
    windowSize,
    title: fields.slice(columns.length - 1).join('|'),
  };
}

export function parseNumber(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/** tmux says `KILL`, or `9` where it was built without the names. */
export function nameSignal(text: string): string | undefined {
  if (text === '') return undefined;
  const number = parseNumber(text);
  if (number === undefined) return text.startsWith('SIG') ? text : `SIG${text}`;
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0] ?? text;
}
