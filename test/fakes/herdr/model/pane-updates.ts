import type { Pane } from './panes.ts';
import { paneInfo } from './records.ts';
import type { Session } from './session.ts';

/** Counts a change of what a pane shows, and tells of it; herdr 0.6.8 has no such event. */
export function tellUpdate(session: Session, pane: Pane): void {
  pane.revision++;
  if (session.parts.profile.isOld) return;
  session.emit('pane_updated', { pane: paneInfo(session, pane) });
}

/**
 * Learns how programs call their terminals by now. A spinner that turns before the same words is no
 * change (herdr 0.8.0).
 */
export async function noticeTitles(session: Session): Promise<void> {
  for (const { terminal, before } of await session.parts.terminals.readTitles()) {
    const pane = session.panes.find((each) => each.terminal === terminal);
    if (pane && words(terminal.title) !== words(before)) tellUpdate(session, pane);
  }
}

function words(title: string): string {
  return title.replace(/^[\p{S}\s]+/u, '');
}

const lookMs = 250;

/** A new title is told to whoever listens, also when nobody asks. */
export function watchTitles(session: Session): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const look = async () => {
    // It is ending.
    if (session.panes.length > 0) await noticeTitles(session).catch(() => undefined);
    if (!isOver) timer = setTimeout(() => void look(), lookMs);
  };
  void look();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
