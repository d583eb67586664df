import type { AgentView, Removed, RemoveResult } from '../../protocol/agents.ts';
import type { InterruptView } from '../../protocol/interrupt.ts';
import type {
  AttachView,
  LaunchRequest,
  OutputMode,
  OutputPiece,
  OutputView,
  RestartRequest,
  StopView,
} from '../../protocol/terminals.ts';
import type { DaemonLink } from './daemon-link.ts';
import { readStream } from './http.ts';

/** What only the daemon can do: it knows the terminals. */

export async function listLiveAgents(
  link: DaemonLink,
  session: string | undefined,
): Promise<readonly AgentView[]> {
  const query = session === undefined ? '' : `?session=${encodeURIComponent(session)}`;
  const path = `/agents${query}`;
  return (await link.ask<{ agents: readonly AgentView[] }>({ method: 'GET', path })).agents;
}

export function showLiveAgent(link: DaemonLink, id: string): Promise<AgentView> {
  return link.ask({ method: 'GET', path: pathOf(id) });
}

export function launch(link: DaemonLink, body: LaunchRequest): Promise<AgentView> {
  return link.ask({ method: 'POST', path: '/agents', body, isSlow: true });
}

/** Until it is beyond its start, or so long; what it said is the fault when it has ended. */
export function awaitLaunch(link: DaemonLink, id: string, timeoutMs: number): Promise<AgentView> {
  const path = `${pathOf(id)}/start?timeoutMs=${timeoutMs}`;
  return link.ask({ method: 'GET', path, isSlow: true });
}

export function stop(link: DaemonLink, id: string): Promise<StopView> {
  return link.ask({ method: 'POST', path: `${pathOf(id)}/stop`, isSlow: true });
}

export function interrupt(
  link: DaemonLink,
  id: string,
  body: { readonly timeoutMs: number; readonly who: string },
): Promise<InterruptView> {
  return link.ask({ method: 'POST', path: `${pathOf(id)}/interrupt`, body, isSlow: true });
}

export function restart(link: DaemonLink, id: string, body: RestartRequest): Promise<AgentView> {
  return link.ask({ method: 'POST', path: `${pathOf(id)}/restart`, body, isSlow: true });
}

export async function removeWithTerminal(link: DaemonLink, id: string): Promise<Removed> {
  const request = { method: 'DELETE', path: pathOf(id), isSlow: true } as const;
  const [removed] = (await link.ask<RemoveResult>(request)).removed;
  if (!removed) throw new Error('one removal has one result');
  return removed;
}

export function readOutput(link: DaemonLink, id: string, mode: OutputMode): Promise<OutputView> {
  return link.ask({ method: 'GET', path: `${pathOf(id)}/output?mode=${mode}`, isSlow: true });
}

/** Until the agent ends, or whoever reads it stops. */
export async function* followOutput(
  link: DaemonLink,
  id: string,
): AsyncGenerator<OutputPiece, void> {
  const end = new AbortController();
  try {
    const path = `${pathOf(id)}/stream`;
    const response = await link.open({ method: 'GET', path }, end.signal);
    for await (const data of readStream(response)) yield JSON.parse(data) as OutputPiece;
  } finally {
    end.abort();
  }
}

/** Without the environment: the command is made here. */
export function attachCommand(link: DaemonLink, id: string): Promise<AttachView> {
  return link.ask({ method: 'POST', path: `${pathOf(id)}/attach`, body: { env: {} } });
}

function pathOf(id: string): string {
  return `/agents/${encodeURIComponent(id)}`;
}
