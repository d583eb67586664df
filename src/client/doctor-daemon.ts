import type { Agent } from '../agents/agent.ts';
import type { Folders } from '../config/folders.ts';
import { isTakenDown } from '../config/taken-down.ts';
import type { Finding } from '../protocol/doctor.ts';
import { isCarried } from './direct/open.ts';
import { findDaemon, judgeDaemon } from './socket/find-daemon.ts';

/** Agents that live while somebody keeps the daemon down: no message reaches them. */
export function findTakenDown(folders: Folders, agents: readonly Agent[]): readonly Finding[] {
  if (!isTakenDown(folders)) return [];
  const info = findDaemon(folders);
  if (info && judgeDaemon(info) !== 'dead') return [];
  const living = agents.filter(isCarried).length;
  if (living === 0) return [];
  const who = living === 1 ? '1 agent lives on' : `${living} agents live on`;
  return [
    {
      what: `No daemon runs since \`signalbox down\`: ${who}, and no message reaches ${living === 1 ? 'it' : 'them'}.`,
      next: 'Start one with `signalbox up`.',
    },
  ];
}
