import type { AgentName, Failed } from '../../protocol/agents.ts';
import { reachFailPoint } from '../../shared/fail-point.ts';
import { stopTmuxServer } from '../../terminals/tmux/stop-server.ts';
import { forEach } from '../several.ts';
import { stop } from '../socket/agents.ts';
import { takeDown } from '../socket/control.ts';
import { DaemonLink } from '../socket/daemon-link.ts';
import { answerMs } from '../socket/end-daemon.ts';
import { call, readText } from '../socket/http.ts';
import { endRest, listLives } from './end-rest.ts';
import type { Home } from './survey.ts';

export interface EndedHome {
  readonly stopped: readonly AgentName[];
  readonly daemon: 'stopped' | 'killed' | 'not-running';
  readonly tmux: 'stopped' | 'absent';
  readonly failed: readonly Failed[];
  /** What was done and could not be recorded. */
  readonly notes: readonly string[];
}

/**
 * Ends all that lives in one home: its agents, its daemon, and the tmux server last, when no client
 * of ours is left. Each step is safe to repeat, so a run that was killed is simply run again. A
 * daemon that does not answer is killed, and its agents are ended here, by the ledger.
 */
export async function endHome(home: Home): Promise<EndedHome> {
  const { folders, env, agents } = home;
  const isAsked = agents.length > 0 && (await canBeAsked(home));
  const link = new DaemonLink(folders, env);
  // On a full disk the ledger may not open again once the daemon is gone.
  const known = await listLives(home);
  const asked = isAsked
    ? await forEach(agents, ({ id }) => stop(link, id), { isNamed: false })
    : none;
  await reachFailPoint('uninstall.stopped');
  const { outcome: daemon } = await takeDown(env);
  await reachFailPoint('uninstall.down');
  const { failed, notes } = await endRest(home, known);
  // The daemon itself may have ended an empty one.
  const left = await stopTmuxServer({ stateFolder: folders.state, ledgerId: '', env });
  const tmux = home.tmux === undefined ? left : 'stopped';
  await reachFailPoint('uninstall.ended');
  const alive = new Set(failed.map(({ id }) => id));
  // What the daemon could not do has been done here.
  const unsaid = asked.failed.filter(({ id }) => alive.has(id));
  return {
    stopped: agents.filter(({ id }) => !alive.has(id)),
    daemon,
    tmux,
    failed: unsaid.length > 0 ? unsaid : failed,
    notes,
  };
}

const none = { done: [], failed: [] };

/** Without one that answers, nobody is started for it: what remains is ended by the ledger. */
async function canBeAsked({ daemon }: Home): Promise<boolean> {
  if (daemon?.socket === undefined) return false;
  const wanted = { socket: daemon.socket, method: 'GET', path: '/health' } as const;
  const answer = await call(wanted, AbortSignal.timeout(answerMs));
  if (answer.outcome !== 'answered') return false;
  // An answer that breaks off is none.
  return (await readText(answer.response).catch((): undefined => undefined)) !== undefined;
}
