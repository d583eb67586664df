import { ApiError, notFound } from '../wire/api-error.ts';
import type { Json } from '../wire/json.ts';
import { textOf } from '../wire/request-shapes.ts';
import type { Pane, Tab, Workspace } from './panes.ts';
import type { Session } from './session.ts';

export function needWorkspace(session: Session, id: string): Workspace {
  const found = session.ids.findWorkspace(session.workspaces, id);
  if (!found) throw notFound('workspace', id);
  return found;
}

export function needTab(session: Session, id: string): Tab {
  const found = session.ids.findTab(session.workspaces, id);
  if (!found) throw notFound('tab', id);
  return found;
}

/** By its id, or by one that it had before it moved. */
export function needPane(session: Session, id: string): Pane {
  const found = session.ids.findPane(session.workspaces, id) ?? session.formerIds.get(id);
  if (!found) throw notFound('pane', id);
  return found;
}

/** The pane that was named, else the focused one. */
export function paneOrFocused(session: Session, params: Json, name = 'pane_id'): Pane {
  const id = textOf(params, name);
  if (id !== undefined) return needPane(session, id);
  if (!session.focusedPane) throw new ApiError('pane_not_found', 'no focused pane');
  return session.focusedPane;
}

/**
 * By the name of a live agent or the current id of its pane: neither former ids nor terminal ids.
 */
export function needAgent(session: Session, target: string): Pane {
  const named = session.panes.filter(({ agent }) => agent?.name === target);
  const hosts = session.panes.filter(({ agent }) => agent);
  const found = named[0] ?? hosts.find((pane) => session.ids.pane(pane) === target);
  if (!found) throw notFound('agent', target);
  return found;
}
