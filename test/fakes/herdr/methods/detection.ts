import { basename } from 'node:path';
import { changeAgent } from '../model/agent-changes.ts';
import { kinds } from '../model/hosted-agent.ts';
import type { Pane } from '../model/panes.ts';
import type { Session } from '../model/session.ts';
import { argvOf, environmentOf, foregroundGroup, listGroups } from '../terminals/process-info.ts';

const lookMs = 250;

/**
 * Agents are known by the process in the foreground. herdr reads their screens as well; here one
 * that has no reporter is idle, as a known agent is there whose screen matches no rule.
 */
export function watchAgents(session: Session): () => void {
  const timer = setInterval(() => {
    if (session.panes.length === 0) return;
    const groups = listGroups();
    for (const pane of session.panes) look(session, pane, groups);
  }, lookMs);
  return () => clearInterval(timer);
}

type Groups = ReturnType<typeof listGroups>;

function look(session: Session, pane: Pane, groups: Groups): void {
  const { hosted } = pane;
  const { profile } = session.parts;
  const isAside = pane.tab !== pane.workspace.tabs[0];
  if (isAside && !profile.has('helpers-are-agents')) return;
  const group = foregroundGroup(pane.terminal.pid);
  const label =
    group === undefined ? undefined : (labelOf(group) ?? memberLabel(groups.get(group)));
  if (label === hosted.detected) return;
  // Its release told herdr's eyes nothing: neither its end nor its being there is news to them
  // (H7).
  if (hosted.unwatched !== undefined && [undefined, hosted.unwatched].includes(label)) return;
  changeAgent(session, pane, () => {
    hosted.unwatched = undefined;
    if (label === undefined) {
      hosted.exit(profile.has('missed-end'));
      return;
    }
    const { authority } = hosted;
    const isForeign = !kinds.includes(authority?.label ?? label);
    const isOther = isForeign ? !profile.has('first-label-stays') : authority?.label !== label;
    if (isOther) hosted.authority = undefined;
    hosted.exited = undefined;
    hosted.detected = label;
    hosted.isReady = hosted.name !== undefined;
    hosted.isLaunching = false;
  });
}

/** A shell that runs a script keeps what it starts in its own group. */
function memberLabel(members: readonly number[] = []): string | undefined {
  const labels = members.map(labelOf);
  return labels.find((label) => label !== undefined);
}

function labelOf(pid: number): string | undefined {
  const names = argvOf(pid)
    .slice(0, 2)
    .map((word) => basename(word).replace(/\.[cm]?js$/, ''));
  const hint = environmentOf(pid)['HERDR_AGENT'] ?? '';
  return [hint, ...names].find((name) => kinds.includes(name));
}
