import type { Epoch } from '../../agents/epoch.ts';
import { readTerminal } from '../../agents/epoch-terminal.ts';
import { findNestingMark } from '../../agents/nesting-mark.ts';
import { hasControllingTerminal } from '../../shared/controlling-terminal.ts';
import { listAncestors, readEnvironment, seesProcesses } from '../../shared/process-tree.ts';
import { readTerminalNumber, systemHost } from '../../shared/processes.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** What shows that a command is not the user's own; `describe-judged.ts` has the sentences. */
export type Obstacle =
  | {
      readonly kind: 'variable';
      readonly name: string;
      readonly value: string;
      /** Of the process above us in which it is set; undefined: in our own environment. */
      readonly pid?: number;
    }
  /** The processes above us, or those of agents, cannot be seen: another pid namespace. */
  | { readonly kind: 'unseen' }
  | { readonly kind: 'no-terminal' }
  | { readonly kind: 'agents-terminal' };

/**
 * What shows that a command is not the user's own; undefined: it is (rule 52). It is a guard
 * against mistakes, not a wall: agents run as the user. The agent whose processes are above us was
 * looked for before.
 */
export function findObstacle(env: Env, lives: readonly Epoch[]): Obstacle | undefined {
  const starter = findStarter(env);
  if (starter !== undefined) return starter;
  if (!hasControllingTerminal()) return { kind: 'no-terminal' };
  if (isAgentsTerminal(lives)) return { kind: 'agents-terminal' };
  return canSee(lives) ? undefined : { kind: 'unseen' };
}

/**
 * A coding CLI sets a variable in all that it starts; one that people set themselves is none. An
 * agent's own variables speak against the person as well, also where the agent is no longer known.
 */
export function findStarter(env: Env): Obstacle | undefined {
  return findMarked(env, findMark);
}

/** The same, of agents alone: a program that a coding CLI started is a script of the user's. */
export function findAgentStarter(env: Env): Obstacle | undefined {
  return findMarked(env, findAgentVariable);
}

function findMarked(env: Env, findIn: (env: Env) => string | undefined): Obstacle | undefined {
  const own = findIn(env);
  if (own !== undefined) return { kind: 'variable', name: own, value: env[own] ?? '' };
  for (const { pid } of listAncestors()) {
    // An environment that cannot be read (sshd, login) says nothing against the person.
    const above = readEnvironment(pid) ?? {};
    const name = findIn(above);
    if (name !== undefined) return { kind: 'variable', name, value: above[name] ?? '', pid };
  }
  return undefined;
}

function findMark(env: Env): string | undefined {
  // `SIGNALBOX_AGENT=user` says nothing against the user.
  return findNestingMark(env) ?? findAgentVariable(env);
}

function findAgentVariable(env: Env): string | undefined {
  return agentVariables.find((name) => env[name] && env[name] !== 'user');
}

const agentVariables = ['SIGNALBOX_AGENT', 'SIGNALBOX_TOKEN', 'SIGNALBOX_EPOCH'];

export function isAgentVariable(name: string): boolean {
  return agentVariables.includes(name);
}

/** An agent runs in the very terminal that the person would be at. */
function isAgentsTerminal(lives: readonly Epoch[]): boolean {
  const here = readTerminalNumber(process.pid);
  if (here === undefined) return false;
  return lives.some(({ terminal = '' }) => {
    const kept = readTerminal(terminal);
    return kept && isHere(kept.pidSpace) && readTerminalNumber(kept.pid) === here;
  });
}

/**
 * Whether an agent above us would have been found: /proc shows our own processes, and no agent
 * lives in a pid namespace that it does not show. A sandbox of an agent's may be one.
 */
function canSee(lives: readonly Epoch[]): boolean {
  if (!seesProcesses()) return false;
  return lives.every(({ terminal = '' }) => isHere(readTerminal(terminal)?.pidSpace));
}

/** A pid of this namespace counts here. Rows of before have none. */
export function isHere(pidSpace: string | undefined): boolean {
  return pidSpace === undefined || pidSpace === systemHost.identity.pidSpace;
}
