import type { Size } from '../terminals/terminals.ts';
import { placePanes, type Rect } from './layout.ts';
import type { Tab } from './panes.ts';
import type { Session } from './session.ts';

/** 23x53 alone; among others each has a border: 10x51 above (herdr 0.8.0, `stty size`). A column goes to the scrollbar. */
export function sizeIn(rect: Rect, isAlone: boolean): Size {
  const border = isAlone ? 0 : 2;
  return {
    rows: Math.max(1, rect.height - border),
    cols: Math.max(1, rect.width - border - 1),
  };
}

/** Gives every terminal of a tab the size that its place has. */
export async function fitTab(session: Session, tab: Tab): Promise<void> {
  if (!tab.root) return;
  const placed = placePanes(tab.root);
  for (const [pane, rect] of placed) {
    if (session.controlled.has(pane)) continue;
    await session.parts.terminals.resize(pane.terminal, sizeIn(rect, placed.length === 1));
  }
}
