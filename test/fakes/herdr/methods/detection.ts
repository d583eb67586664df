import { basename } from 'node:path';
import { kinds } from '../model/hosted-agent.ts';
import type { Pane } from '../model/panes.ts';
import type { Session } from '../model/session.ts';
import { argvOf, environmentOf, foregroundGroup } from '../terminals/process-info.ts';
import { host, setState } from './reports.ts';

const lookMs = 250;

/**
 * Agents are known by the process in the foreground. herdr reads their screens as well; here one that has no reporter is
 * idle, as a known agent is there whose screen matches no rule.
 */
export function watchAgents(session: Session): () => void {
  const timer = setInterval(() => {
    for (const pane of session.panes) look(session, pane);
  }, lookMs);
  return () => clearInterval(timer);
}

function look(session: Session, pane: Pane): void {
  const { agent } = pane;
  const group = foregroundGroup(pane.terminal.pid);
  const label = group === undefined ? undefined : labelOf(group);
  if (label === undefined) {
    if (agent?.isDetected) session.releaseAgent(pane);
    return;
  }
  if (agent?.label !== label) host(session, pane, label, 'process');
  if (!pane.agent || pane.agent.isDetected) return;
  pane.agent.isDetected = true;
  pane.agent.isLaunching = false;
  pane.agent.isReady = true;
  if (pane.agent.state === 'unknown') setState(session, pane, 'idle');
}

function labelOf(pid: number): string | undefined {
  const names = argvOf(pid)
    .slice(0, 2)
    .map((word) => basename(word).replace(/\.[cm]?js$/, ''));
  return environmentOf(pid)['HERDR_AGENT'] ?? names.find((name) => kinds.includes(name));
}
