import { readStartTime } from '../../shared/processes.ts';
import type { Terminal } from '../terminal.ts';
import { type Ending, type Life, type Note, readEnding, readPid } from './notes.ts';
import type { HerdrParts } from './parts.ts';
import { isObject } from './request.ts';
import type { PaneRecord, Snapshot } from './wire.ts';

/**
 * What a person sees at the pane, and by which one whose start we did not see through is looked
 * for. It proves nothing.
 */
export function labelOf({ agent, epoch, helper }: Life): string {
  return helper === '' ? `${agent}#${epoch}` : `${agent}#${epoch} ${helper}`;
}

export function terminalOf(note: Note, pid: number): Terminal {
  const { agent, epoch, server, terminal = '', startedAt } = note;
  return { agent, epoch, server, pane: terminal, pid, startedAt };
}

/** The note of exactly that terminal, or undefined: then it is not ours. */
export function findNote(
  { notes }: Pick<HerdrParts, 'notes'>,
  terminal: Terminal,
): Note | undefined {
  const { agent, epoch, server, pane, pid } = terminal;
  const note = notes.find({ agent, epoch, helper: '' });
  if (!note || note.terminal !== pane || note.server !== server) return undefined;
  return readPid(note) === pid ? note : undefined;
}

/** Whether the program itself runs, which only its process says. */
export function isRunning(note: Note): boolean {
  const pid = readPid(note);
  if (pid === undefined || readEnding(note)) return false;
  return note.startedAt !== '' && readStartTime(pid) === note.startedAt;
}

export function describeEnd(note: Note): Ending {
  return readEnding(note) ?? {};
}

/**
 * We died, or the answer was lost, between the start and the note of its terminal. A label alone
 * proves nothing: the pane's own process must be the host that wrote its pid into our private
 * folder. herdr before 0.7.0 cannot be asked for that.
 */
export async function findLost(
  { link }: HerdrParts,
  note: Note,
  { panes }: Snapshot,
): Promise<PaneRecord | undefined> {
  const host = readPid(note, 'host');
  if (host === undefined || link.server().isOld) return undefined;
  for (const record of panes.values()) {
    if (record.label !== labelOf(note)) continue;
    const { process_info } = await link.ask('pane.process_info', { pane_id: record.pane });
    if (isObject(process_info) && process_info['shell_pid'] === host) return record;
  }
  return undefined;
}
