import { isAlive } from '../../shared/processes.ts';
import type { Terminal } from '../terminal.ts';
import { findLost, findNote, isRunning } from './identity.ts';
import { type Note, readEnding, readPid } from './notes.ts';
import type { HerdrParts } from './parts.ts';
import { HerdrError } from './request.ts';
import { getPane } from './screen.ts';
import { isGroupParent } from './wire.ts';

/** herdr answers when the pane's processes have ended, by force if need be. */
const closeMs = 15_000;

/**
 * Closes an agent's terminal and its helpers'. What a person opened beside it in the same workspace
 * stays.
 */
export async function closeTerminal(parts: HerdrParts, terminal: Terminal): Promise<void> {
  const { agent, epoch, pane } = terminal;
  // Without a pane it names the life alone. One that is not noted is not ours to close, but its
  // life's helpers are.
  const isNoted = pane === '' || findNote(parts, terminal) !== undefined;
  const notes = parts.notes.all().filter((note) => note.agent === agent && note.epoch === epoch);
  for (const note of notes) if (isNoted || note.helper !== '') await closeNoted(parts, note);
}

/**
 * Its pane goes, or, where closing it would be somebody else's loss, only its program: a host whose
 * folder is gone ends by itself, and its pane with it.
 */
export async function closeNoted(parts: HerdrParts, note: Note): Promise<void> {
  const snapshot = await parts.link.look();
  const known = note.terminal === undefined ? undefined : snapshot.panes.get(note.terminal);
  const record = known ?? (note.terminal === undefined && (await findLost(parts, note, snapshot)));
  const isClosed =
    record && !parts.link.server().isOld && (await closePane(parts, record.terminal));
  parts.notes.forget(note, isClosed ? undefined : hangUp);
}

/**
 * Only panes are ever closed: an empty tab or workspace goes by itself. One that herdr would take
 * for the end of a whole worktree group (0.8.0: workspaces of the same repository go with it) is
 * left to its person: that is `false`.
 */
export async function closePane(parts: HerdrParts, terminal: string): Promise<boolean> {
  const { link } = parts;
  const snapshot = await link.look();
  const record = snapshot.panes.get(terminal);
  if (!record) return true;
  const others = [...snapshot.panes.values()].filter(
    (pane) => pane.workspace === record.workspace && pane.terminal !== terminal,
  );
  if (others.length === 0 && isGroupParent(snapshot, record.workspace)) return false;
  try {
    if ((await getPane(parts, record.pane)).terminal !== terminal) return false;
    await link.ask('pane.close', { pane_id: record.pane }, closeMs);
    return true;
  } catch (error) {
    if (!(error instanceof HerdrError) || error.kind !== 'refused') throw error;
    // It is gone already, or herdr wants a person to confirm: then it is the person's.
    return false;
  }
}

/** What a closed terminal does to its program. */
function hangUp(note: Note): void {
  const pid = readPid(note);
  if (pid === undefined || !(isRunning(note) || isJustBegun(note))) return;
  try {
    process.kill(pid, 'SIGHUP');
  } catch {
    // It ended just now.
  }
}

/** We do not know its start yet: then its host, which waits for it, must be there too. */
function isJustBegun(note: Note): boolean {
  const host = readPid(note, 'host');
  return note.startedAt === '' && !readEnding(note) && host !== undefined && isAlive(host);
}
