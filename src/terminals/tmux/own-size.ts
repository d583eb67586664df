// Tests: test/integration/tmux-own-size.test.ts.

import type { Command } from './command.ts';
import type { Connection } from './connection.ts';
import { allOf, equal, guarded, identityFormat } from './identity.ts';
import type { Pane } from './panes.ts';
import { terminalOf } from './sights.ts';

/**
 * tmux leaves a window at the size of the last person who looked at it, and some CLIs draw no
 * composer in a small one. A window that no client sizes any more gets the size it was launched
 * with. `resize-window` alone would fix that size for everybody who comes later, so the same list
 * takes that back: tmux then sizes the window by its people, and without people leaves it. If a
 * person has come meanwhile, it is their size at once (tmux 3.3a, run).
 */
export async function giveBackSizes(
  connection: Connection,
  ledgerId: string,
  panes: readonly Pane[],
): Promise<void> {
  const resized = firstOfEachWindow(panes).filter(
    ({ isDead, ownSize, windowSize }) => !isDead && ownSize !== windowSize,
  );
  if (resized.length === 0) return;
  const { id, hub } = connection.server();
  const [clients] = await connection.ask([listClients]);
  if (!clients || clients.isError) return;
  const looked = findLookedAt(clients.text, hub);
  for (const pane of resized) {
    const terminal = terminalOf(pane, id);
    if (!terminal || pane.sessions.some((session) => looked.has(session))) continue;
    const mayResize = allOf(
      identityFormat(ledgerId, terminal),
      equal('#{window_id}', pane.window),
      // A person who came since.
      equal('#{window_active_clients}', '0'),
      // `manual`: a person has fixed this size.
      equal('#{window-size}', 'latest'),
    );
    await connection.ask(guarded(pane.pane, mayResize, resize(pane)));
  }
}

/** A person may have joined panes of several agents in one window: the first one decides. */
function firstOfEachWindow(panes: readonly Pane[]): readonly Pane[] {
  const first = new Map<string, Pane>();
  for (const pane of panes) {
    if (pane.agent && sizeForm.test(pane.ownSize) && !first.has(pane.window)) {
      first.set(pane.window, pane);
    }
  }
  return [...first.values()];
}

function resize({ window, ownSize }: Pane): readonly Command[] {
  const [columns = '', rows = ''] = ownSize.split('x');
  return [
    ['resize-window', '-t', window, '-x', columns, '-y', rows],
    ['set-option', '-w', '-u', '-t', window, 'window-size'],
  ];
}

const sizeForm = /^\d+x\d+$/;

const listClients: Command = ['list-clients', '-F', 'c|#{client_control_mode}|#{session_id}'];

/**
 * Sessions in which somebody is: tmux sizes every window of a session by its clients. Only our own
 * client, in the hub, has no size.
 */
function findLookedAt(clients: string, hub: string): ReadonlySet<string> {
  const lines = clients.split('\n').map((line) => line.split('|'));
  return new Set(
    lines.flatMap(([sign, isControl, session = '']) =>
      sign !== 'c' || (isControl === '1' && session === hub) ? [] : [session],
    ),
  );
}
