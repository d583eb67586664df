import { existsSync } from 'node:fs';
import { daemonInfoPath, type Folders } from '../config/folders.ts';
import { isTakenDown } from '../config/taken-down.ts';
import type { AgentView } from '../protocol/agents.ts';
import { pause, systemClock } from '../shared/clock.ts';
import { Fault } from '../shared/fault.ts';
import { isCarried } from './direct/open.ts';
import type { DaemonLink } from './socket/daemon-link.ts';

/**
 * For commands that only look: whether the daemon may be asked. One that died is started again by
 * that, since its agents live and messages wait for it; after `down` none is, and the person is
 * told so.
 */
export async function mayLook(
  folders: Folders,
  link: DaemonLink,
  agents: readonly AgentView[],
  tell: (sentence: string) => void,
): Promise<boolean> {
  if (!(await isDown(folders, link))) return true;
  tell(
    `No daemon runs since \`signalbox down\`; ${countMail(agents)}. Shown is what was last known; \`signalbox up\` starts it.`,
  );
  return false;
}

/** For what the daemon alone knows. `other`: what needs none. */
export async function requireLook(
  folders: Folders,
  link: DaemonLink,
  agents: readonly AgentView[],
  other = '',
): Promise<void> {
  if (!(await isDown(folders, link))) return;
  throw new Fault(
    'daemon-unavailable',
    `No daemon runs since \`signalbox down\`, and only the daemon knows that; ${countMail(agents)}.`,
    `Start one with \`signalbox up\`${other}.`,
  );
}

/** For what follows along: after `down`, until somebody starts a daemon again, or `over`. */
export async function untilUp(
  folders: Folders,
  link: DaemonLink,
  over: AbortSignal,
): Promise<void> {
  while (!over.aborted && (await isDown(folders, link))) await pause(systemClock, lookMs, over);
}

const lookMs = 1000;

async function isDown(folders: Folders, link: DaemonLink): Promise<boolean> {
  return isTakenDown(folders) && !(await link.isRunning());
}

function countMail(agents: readonly AgentView[]): string {
  const waiting = agents.filter(isCarried).reduce((all, { inbox }) => all + inbox.queued, 0);
  if (waiting === 0) return 'no message waits';
  return waiting === 1 ? '1 message waits' : `${waiting} messages wait`;
}

/** For those that need no daemon: one that died is started again, and nothing else is. */
export async function reviveDead(
  folders: Folders,
  openLink: () => Promise<DaemonLink>,
  tell: (sentence: string) => void,
): Promise<void> {
  // One that ended in order takes its introduction with it.
  if (!existsSync(daemonInfoPath(folders)) || isTakenDown(folders)) return;
  try {
    const link = await openLink();
    if (!(await link.isRunning())) await link.start();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    tell(`${error.message} ${error.next}`);
  }
}
