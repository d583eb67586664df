import { closePane } from '../model/closing.ts';
import { spawning } from '../model/launch.ts';
import type { Direction } from '../model/layout.ts';
import { needPane, needWorkspace, paneOrFocused } from '../model/lookup.ts';
import { layoutSnapshot, paneInfo } from '../model/records.ts';
import { refuseGroupClose } from '../model/worktree-groups.ts';
import { encodeKeys } from '../terminals/keys.ts';
import { processInfo } from '../terminals/process-info.ts';
import { ApiError } from '../wire/api-error.ts';
import { listOf, numberOf, textOf } from '../wire/request-shapes.ts';
import { movePane } from './move-pane.ts';
import { type Method, wishOf } from './workspaces.ts';

export const paneMethods: Readonly<Record<string, Method>> = {
  'pane.split': async (session, params) => {
    const workspaceId = textOf(params, 'workspace_id');
    const target =
      workspaceId === undefined
        ? paneOrFocused(session, params, 'target_pane_id')
        : needWorkspace(session, workspaceId).activeTab.focusedPane;
    const direction = params['direction'] as Direction;
    const ratio = Math.min(0.9, Math.max(0.1, numberOf(params, 'ratio') ?? 0.5));
    const pane = await spawning('pane_split_failed', () =>
      session.splitPane(target, { direction, ratio }, wishOf(session, params)),
    );
    session.announcePane(pane, params['focus'] === true);
    return { type: 'pane_info', pane: paneInfo(session, pane) };
  },
  'pane.list': (session, params) => {
    const id = textOf(params, 'workspace_id');
    const panes = id === undefined ? session.panes : needWorkspace(session, id).panes;
    return { type: 'pane_list', panes: panes.map((pane) => paneInfo(session, pane)) };
  },
  'pane.get': (session, params) => {
    const pane = needPane(session, String(params['pane_id']));
    return { type: 'pane_info', pane: paneInfo(session, pane) };
  },
  'pane.current': (session, params) => {
    const pane = paneOrFocused(session, params, 'caller_pane_id');
    return { type: 'pane_current', pane: paneInfo(session, pane) };
  },
  'pane.focus': (session, params) => {
    const pane = needPane(session, String(params['pane_id']));
    session.show(pane);
    session.settle();
    return { type: 'pane_info', pane: paneInfo(session, pane) };
  },
  // No event tells of a new name.
  'pane.rename': (session, params) => {
    const pane = needPane(session, String(params['pane_id']));
    pane.label = textOf(params, 'label')?.trim() || undefined;
    session.settle();
    return { type: 'pane_info', pane: paneInfo(session, pane) };
  },
  'pane.close': async (session, params) => {
    const pane = needPane(session, String(params['pane_id']));
    if (pane.workspace.panes.length === 1) refuseGroupClose(session, pane.workspace, 'pane');
    await closePane(session, pane);
    return { type: 'ok' };
  },
  'pane.move': movePane,
  'pane.layout': (session, params) => {
    const { tab } = paneOrFocused(session, params);
    return { type: 'pane_layout', layout: layoutSnapshot(session, tab) };
  },
  'pane.process_info': (session, params) => {
    const pane = paneOrFocused(session, params);
    const found = { pane_id: session.ids.pane(pane), ...processInfo(pane.terminal) };
    return { type: 'pane_process_info', process_info: found };
  },
  // Raw: no paste around it, and a line feed stays one.
  'pane.send_text': async (session, params) => {
    const pane = needPane(session, String(params['pane_id']));
    return sent(session.parts.terminals.write(pane.terminal, Buffer.from(String(params['text']))));
  },
  'pane.send_keys': async (session, params) => {
    const pane = needPane(session, String(params['pane_id']));
    const keys = encodeKeys(listOf(params, 'keys'));
    return sent(session.parts.terminals.write(pane.terminal, keys));
  },
  'pane.send_input': async (session, params) => {
    const pane = needPane(session, String(params['pane_id']));
    const keys = encodeKeys(listOf(params, 'keys'));
    const text = textOf(params, 'text') ?? '';
    return sent(session.parts.terminals.input(pane.terminal, text, keys));
  },
};

/** The program may have ended while the bytes were on their way. */
async function sent(writing: Promise<void>): Promise<{ readonly type: 'ok' }> {
  try {
    await writing;
    return { type: 'ok' };
  } catch (error) {
    throw new ApiError('pane_send_failed', String(error));
  }
}
