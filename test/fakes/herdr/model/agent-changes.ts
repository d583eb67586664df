import type { Pane } from './panes.ts';
import type { Session } from './session.ts';

/** Changes what is known of a pane's agent, and tells what became different thereby. */
export function changeAgent(session: Session, pane: Pane, change: () => void): void {
  const { hosted } = pane;
  const before = { label: hosted.label, status: hosted.status, state: hosted.state };
  const { exited } = hosted;
  change();
  const state = hosted.wantedState;
  const isEnd = state === 'idle' && (hosted.state === 'working' || hosted.state === 'blocked');
  if (state !== hosted.state) hosted.changes = session.nextChange();
  // Whoever finishes where nobody looks is `done` until somebody does.
  if (isEnd) hosted.isSeen = session.active?.activeTab === pane.tab;
  else if (state !== 'idle') hosted.isSeen = true;
  hosted.state = state;
  const { label } = hosted;
  const ids = { pane_id: session.ids.pane(pane), workspace_id: pane.workspace.id };
  if (label !== undefined && label !== before.label) {
    // Another agent than the one that was named.
    if (before.label !== undefined) hosted.forgetName();
    session.emit('pane_agent_detected', { ...ids, agent: label });
  }
  const isReleased = label === undefined && before.label !== undefined;
  if (isReleased) {
    // Of a process that ended, what it did last; of one that a client has released, nothing (H2).
    const final = hosted.exited !== undefined && exited === undefined ? before.state : 'unknown';
    const told = { agent: before.label, released: true, final_status: final };
    session.emit('pane_agent_detected', { ...ids, ...told });
  }
  if (isReleased || hosted.status !== before.status) session.emitStatus(pane);
}
