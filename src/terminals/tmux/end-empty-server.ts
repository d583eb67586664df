import { systemClock } from '../../shared/clock.ts';
import { reachFailPoint } from '../../shared/fail-point.ts';
import { reportBug } from '../../shared/report-bug.ts';
import { findProgram } from './find-program.ts';
import { allOf, equal } from './identity.ts';
import { isListening } from './is-listening.ts';
import type { TmuxPlace } from './place.ts';
import { runTmux } from './run-tmux.ts';

/**
 * Ends our server if nothing is in it but the hub. tmux judges that in the very command that ends
 * it, so a window that somebody opens meanwhile is never lost. Every client of ours must be closed
 * before: a server waits for a client that does not read (tmux 3.3a to 3.7c for ever).
 */
export async function endEmptyServer(wanted: TmuxPlace): Promise<'ended' | 'in-use' | 'absent'> {
  try {
    if (!(await isListening(wanted))) return 'absent';
    const { tmux } = await findProgram(wanted);
    const place = { ...wanted, tmux };
    const hub = `=hub-${place.ledgerId.slice(-8)}:`;
    await reachFailPoint('tmux.ending');
    const asked = await runTmux(place, [
      [
        ...(['if-shell', '-F', '-t', hub, emptyFormat(place.ledgerId)] as const),
        [['display-message', '-p', 'empty'], ['kill-server']],
      ],
    ]);
    if (!asked.stdout.startsWith('empty')) return 'in-use';
    return (await isGoneSoon(wanted)) ? 'ended' : 'in-use';
  } catch (error) {
    // An empty server that stays costs a little memory, and the next daemon tries again.
    reportBug('ending an empty tmux server', error);
    return 'in-use';
  }
}

/**
 * One session, our hub, with one window, with one pane: `#{S:x}` has an x for each session. The hub
 * is asked for because tmux (3.3a) asks about another session where the named one is gone.
 */
export function emptyFormat(ledgerId: string): string {
  return allOf(
    equal('#{@sbx-hub}', ledgerId),
    equal('#{S:x}', 'x'),
    equal('#{session_windows}', '1'),
    equal('#{window_panes}', '1'),
  );
}

/** Its last client has gone before its socket does. */
async function isGoneSoon(place: TmuxPlace): Promise<boolean> {
  for (let tries = 0; tries < 40; tries++) {
    if (!(await isListening(place))) return true;
    await systemClock.sleep(25);
  }
  return false;
}
