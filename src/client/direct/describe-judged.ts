import type { Caller } from '../../agents/caller.ts';
import { findNestingMark } from '../../agents/nesting-mark.ts';
import { callName } from '../../agents/reference.ts';
import { readName } from '../../shared/process-tree.ts';
import { isAgentVariable, type Obstacle } from './judge-user.ts';

/** Why a caller is an agent: its process is above us, or a variable names it. */
export type AgentClue =
  | { readonly kind: 'process' }
  | { readonly kind: 'named'; readonly name: string; readonly pid?: number };

/** Who asks, and what decided it where that is not the user. */
export interface Judged {
  readonly caller: Caller;
  readonly why?: Obstacle | AgentClue;
}

/** For a refusal: why it is not the user who asks. */
export function describeObstacle(obstacle: Obstacle): string {
  switch (obstacle.kind) {
    case 'variable': {
      const { name, pid } = obstacle;
      if (pid !== undefined) return `process ${pid} has started it, in which ${name} is set`;
      const who = isAgentVariable(name) ? 'an agent' : 'a coding CLI';
      return `${name} is set, so ${who} has started it`;
    }
    case 'unseen':
      return 'it runs where the processes of agents cannot be seen, so it may be one of theirs';
    case 'no-terminal':
      return 'it has no terminal, so it is a script';
    case 'agents-terminal':
      return 'this is the terminal of an agent';
  }
}

/**
 * Rule 52: the line for a person at a terminal who does not count as the user. Undefined for the
 * user, and where nobody is at a terminal. `isRead`: a person may read what we print.
 */
export function describeJudged({ caller, why }: Judged, isRead: boolean): string | undefined {
  if (!isRead || why === undefined || why.kind === 'no-terminal') return undefined;
  const { kind, agent } = caller;
  const because = `because ${describeWhy(why)}`;
  return kind === 'agent'
    ? `You count as the agent "${callName(agent)}" here, ${because}. ${advise(why)}`
    : `You count as a script here, ${because}, so your words arrive as a notice. ${advise(why)}`;
}

/**
 * Whether a person may be at the terminal that our errors go to. In the shell tool of an agent's
 * own CLI a model reads them, and it knows who it is.
 */
export function isPersonReading({ why }: Judged, env: NodeJS.ProcessEnv): boolean {
  const isTool = why?.kind === 'process' && findNestingMark(env) !== undefined;
  return process.stderr.isTTY && !isTool;
}

function describeWhy(why: Obstacle | AgentClue): string {
  switch (why.kind) {
    case 'process':
      return 'this shell runs inside that agent';
    case 'named':
      return `${why.name} is set in ${describePlace(why.pid)}`;
    case 'variable': {
      const { name, value, pid } = why;
      // Others may be secrets, or long.
      const shown = value === '1' ? `${name}=1` : name;
      const whose = isAgentVariable(name) ? 'for an agent' : 'by a coding CLI';
      return `${shown} was set ${whose} in ${describePlace(pid)}`;
    }
    case 'unseen':
      return 'the processes of agents cannot be seen from here';
    default:
      return 'this is the terminal of an agent';
  }
}

function describePlace(pid: number | undefined): string {
  if (pid === undefined) return 'this shell';
  const name = readName(pid);
  return `process ${pid}${name === undefined ? '' : ` (${name})`}, which started this shell`;
}

/** No recipe for a program that wants to pass as the user. */
function advise(why: Obstacle | AgentClue): string {
  const isServer = 'pid' in why && why.pid !== undefined && /^tmux/.test(readName(why.pid) ?? '');
  if (isServer) return 'To speak as yourself, use a terminal outside that tmux server.';
  return 'To speak as yourself, use a terminal that no agent or coding CLI has opened.';
}
