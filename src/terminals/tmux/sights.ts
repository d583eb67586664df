import type { Clock } from '../../shared/clock.ts';
import { readStartTime } from '../../shared/processes.ts';
import { lifeOnly, type Terminal, type TerminalSight } from '../terminal.ts';
import type { Connection } from './connection.ts';
import type { Pane } from './panes.ts';
import { remindOfChildren } from './remind-of-children.ts';

export interface Sighting {
  readonly panes: readonly Pane[];
  readonly sights: readonly TerminalSight[];
}

/**
 * tmux 3.3a may have marked a pane dead and not noted how it died; reminded of its children, a
 * moment later it has. Not at once: a SIGCHLD that comes before it has read the last bytes of some
 * program makes it close that terminal without them.
 */
const nextLookMs = 100;
const looksBeforeReminder = 4;

export async function sightTerminals(connection: Connection, clock: Clock): Promise<Sighting> {
  let sighting = await sightOnce(connection);
  for (let looks = 1; sighting.sights.some(isHalfDead) && looks <= looksBeforeReminder; looks++) {
    if (looks === looksBeforeReminder) remindOfChildren(connection.server().id);
    await clock.sleep(nextLookMs);
    sighting = await sightOnce(connection);
  }
  return sighting;
}

async function sightOnce(connection: Connection): Promise<Sighting> {
  const panes = await connection.listPanes();
  const { id, hub } = connection.server();
  const sights = panes.flatMap((pane) => {
    const terminal = terminalOf(pane, id);
    if (!terminal) return [];
    // The process is what counts as alive, not the pane.
    const isAlive = !pane.isDead && isRunning(terminal);
    const sight: TerminalSight = {
      terminal,
      isAlive,
      ...(pane.exitCode === undefined ? {} : { exitCode: pane.exitCode }),
      ...(pane.exitSignal === undefined ? {} : { exitSignal: pane.exitSignal }),
      isHomeless: pane.sessions.every((session) => session === hub),
      title: pane.title,
    };
    return [sight];
  });
  return { panes, sights: [...sights, ...sightHelpers(panes, id)] };
}

/** Lives of which only helpers are left: their agents' panes were closed. */
function sightHelpers(panes: readonly Pane[], server: string): readonly TerminalSight[] {
  const isOf = (life: Pane) => (pane: Pane) =>
    pane.agent === life.helper && pane.epoch === life.epoch;
  const lone = panes.filter((pane) => pane.helper !== '' && !panes.some(isOf(pane)));
  const lives = new Map(
    lone.map(({ helper, epoch }) => [
      `${helper}/${epoch}`,
      { ...lifeOnly({ agent: helper, epoch }), server },
    ]),
  );
  return [...lives.values()].map((terminal) => ({
    ...{ terminal, isAlive: false, isHomeless: false, title: '', isHelpersOnly: true },
  }));
}

/**
 * Undefined for helpers, and for a pane in which a person has started something else ("respawn").
 */
export function terminalOf(pane: Pane, server: string): Terminal | undefined {
  const { agent, epoch, startedPid, startedAt } = pane;
  if (!agent || startedPid === undefined) return undefined;
  if (!pane.isDead && pane.pid !== startedPid) return undefined;
  return { agent, epoch, server, pane: pane.pane, pid: startedPid, startedAt };
}

function isRunning({ pid, startedAt }: Terminal): boolean {
  const found = readStartTime(pid);
  // A launch that was cut short has not noted the time; tmux itself says that the pid is still its
  // child.
  return startedAt === '' ? found !== undefined : found === startedAt;
}

function isHalfDead(sight: TerminalSight): boolean {
  if (sight.isAlive || sight.isHelpersOnly) return false;
  return sight.exitCode === undefined && sight.exitSignal === undefined;
}
