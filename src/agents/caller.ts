import { type Agent, isUser } from './agent.ts';

/**
 * Who asks for something. Each transport finds that out in one place: the command line from its
 * environment and its processes, HTTP and MCP from the headers of the request.
 */
export interface Caller {
  /** `script`: it speaks for the user, and no person is at a terminal. */
  readonly kind: 'user' | 'script' | 'agent';
  /** The agent itself; for the user and for scripts the reserved agent `user`. */
  readonly agent: Agent;
  /**
   * Where it stands: an agent in its own folder, the user where the command runs. By it a name
   * finds the agent of that project. Undefined: nowhere, such as the user by HTTP.
   */
  readonly folder?: string | undefined;
  /** Of the user: not at a terminal, but signed in to the page in a browser. */
  readonly place?: 'dashboard';
  /** Of an agent: it has shown the token of its present life, and not its name alone. */
  readonly isProven?: true;
  /**
   * Whether this call shows that the agent has read what an earlier one, by its line, handed out
   * (rule 17). Without it the call is a command, which shows that for what commands printed.
   */
  readonly isTaken?: (line: string | undefined) => boolean;
  /** Whether a later call may still show that, so that it is not handed out again yet. */
  readonly isKept?: (line: string) => boolean;
}

export function createCaller(agent: Agent, isAtTerminal: boolean, folder?: string): Caller {
  if (!isUser(agent)) return { kind: 'agent', agent, folder: agent.cwd };
  return { kind: isAtTerminal ? 'user' : 'script', agent, folder };
}
