import type { Size } from '../terminals/terminals.ts';
import { area, placePanes, type Rect } from './layout.ts';
import type { Tab } from './panes.ts';
import type { Session } from './session.ts';

/**
 * 23x53 alone; among others each has a border: 10x51 above (herdr 0.8.0, `stty size`). A column
 * goes to the scrollbar.
 */
export function sizeIn(rect: Rect, isAlone: boolean): Size {
  const border = isAlone ? 0 : 2;
  return {
    rows: Math.max(1, rect.height - border),
    cols: Math.max(1, rect.width - border - 1),
  };
}

/**
 * What a new pane's terminal gets while no client is there. Only the first of a session is fitted
 * to its place; a later one gets the room that the first pane in view has at that moment, without a
 * border or a scrollbar, wherever it is put (H3).
 */
export function newSize(session: Session, fitted: Size): Size {
  if (!session.parts.profile.has('no-resize') || session.panes.length === 0) return fitted;
  const root = session.active?.activeTab.root;
  const [[, rect] = [undefined, area]] = root ? placePanes(root) : [];
  return { rows: Math.max(4, rect.height), cols: Math.max(10, rect.width) };
}

/**
 * Gives every terminal of a tab the size that its place has: what herdr does with a client, and
 * never without one (H3).
 */
export async function fitTab(session: Session, tab: Tab): Promise<void> {
  if (!tab.root || session.parts.profile.has('no-resize')) return;
  const placed = placePanes(tab.root);
  for (const [pane, rect] of placed) {
    if (session.controlled.has(pane)) continue;
    await session.parts.terminals.resize(pane.terminal, sizeIn(rect, placed.length === 1));
  }
}
