import { basename } from 'node:path';
import { changeAgent } from '../model/agent-changes.ts';
import { kinds } from '../model/hosted-agent.ts';
import type { Pane } from '../model/panes.ts';
import type { Session } from '../model/session.ts';
import { argvOf, environmentOf, foregroundGroup, listGroup } from '../terminals/process-info.ts';

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
  const { hosted } = pane;
  const group = foregroundGroup(pane.terminal.pid);
  const label = group === undefined ? undefined : (labelOf(group) ?? memberLabel(group));
  if (label === hosted.detected) return;
  changeAgent(session, pane, () => {
    if (label === undefined) {
      hosted.exit();
      return;
    }
    const { authority } = hosted;
    const isOther = authority && kinds.includes(authority.label) && authority.label !== label;
    if (isOther) hosted.authority = undefined;
    hosted.exited = undefined;
    hosted.detected = label;
    hosted.isReady = hosted.name !== undefined;
    hosted.isLaunching = false;
  });
}

/** A shell that runs a script keeps what it starts in its own group. */
function memberLabel(group: number): string | undefined {
  const labels = listGroup(group).map(labelOf);
  return labels.find((label) => label !== undefined);
}

function labelOf(pid: number): string | undefined {
  const names = argvOf(pid)
    .slice(0, 2)
    .map((word) => basename(word).replace(/\.[cm]?js$/, ''));
  const hint = environmentOf(pid)['HERDR_AGENT'] ?? '';
  return [hint, ...names].find((name) => kinds.includes(name));
}
