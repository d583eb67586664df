import { readFileSync, realpathSync } from 'node:fs';
import { userInfo } from 'node:os';
import { isUser } from '../../agents/agent.ts';
import { readTerminal } from '../../agents/epoch-terminal.ts';
import { findNestingMark } from '../../agents/nesting-mark.ts';
import { hasControllingTerminal } from '../../shared/controlling-terminal.ts';
import { Fault } from '../../shared/fault.ts';
import { listAncestors, readEnvironment } from '../../shared/process-tree.ts';
import { openContext } from './open.ts';

/**
 * Rule 54: consent is the user's own, given at a terminal. Throws where it is asked for by an
 * agent, by a program that a coding CLI started, or by a script, with what decided that. A guard
 * against mistakes, not a wall: agents run as the user.
 */
export async function requireConsent(env: NodeJS.ProcessEnv, what: string): Promise<void> {
  const obstacle = await findObstacle(env);
  if (obstacle !== undefined) throw refused(what, obstacle);
}

export async function requireNoAgent(env: NodeJS.ProcessEnv, what: string): Promise<void> {
  const obstacle = findAgent(env);
  if (obstacle !== undefined) throw refused(what, obstacle);
}

/** Whether somebody can be asked at all. */
export async function mayConsent(env: NodeJS.ProcessEnv): Promise<boolean> {
  return (await findObstacle(env)) === undefined;
}

/** For the record: who, and from where. */
export function describeConsent(): string {
  const terminal = [0, 1, 2].map(findTerminal).find((path) => path !== undefined);
  return `${userInfo().username} at ${terminal ?? 'a terminal'}`;
}

async function findObstacle(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const agent = findAgent(env);
  if (agent !== undefined) return agent;
  if (!hasControllingTerminal()) return 'there is no terminal to ask at, so it is a script';
  return findAgentsTerminal(env);
}

function findAgent(env: NodeJS.ProcessEnv): string | undefined {
  const own = agentVariables.find((name) => env[name] !== undefined && env[name] !== '');
  if (own !== undefined) return `${own} is set, so it is an agent that asks`;
  const mark = findNestingMark(env);
  if (mark !== undefined) return `${mark} is set, so it is a coding CLI that asks`;
  for (const { pid } of listAncestors()) {
    // An environment that cannot be read (sshd, login) says nothing against the person.
    const above = readEnvironment(pid) ?? {};
    const found = findNestingMark(above) ?? agentVariables.find((name) => above[name]);
    if (found !== undefined) return `it was started by process ${pid}, in which ${found} is set`;
  }
  return undefined;
}

const agentVariables = ['SIGNALBOX_AGENT', 'SIGNALBOX_TOKEN', 'SIGNALBOX_EPOCH'];

/** By its processes above us, or because it runs in the very terminal that we would ask at. */
async function findAgentsTerminal(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const context = await openContext(env);
  try {
    const { agent } = context.caller;
    if (!isUser(agent)) return `it was started by the agent "${agent.name}"`;
    const here = readTerminalNumber('self');
    const lives = await context.ledger.read((tx) => tx.epochs.listOpen());
    const host = lives.find(({ terminal = '' }) => {
      const pid = readTerminal(terminal)?.pid;
      return pid !== undefined && here !== undefined && readTerminalNumber(String(pid)) === here;
    });
    return host && 'this is the terminal of an agent';
  } finally {
    await context.ledger.close();
  }
}

/**
 * The number of a process's controlling terminal; undefined without one, and where the system does
 * not tell.
 */
function readTerminalNumber(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const number = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[4]);
    return number > 0 ? number : undefined;
  } catch {
    // It has ended, or there is no /proc here.
    return undefined;
  }
}

function findTerminal(descriptor: number): string | undefined {
  try {
    const path = realpathSync(`/proc/self/fd/${descriptor}`);
    return /^\/dev\/(pts\/|tty)/.test(path) ? path : undefined;
  } catch {
    // Closed, a pipe, or a system without /proc.
    return undefined;
  }
}

function refused(what: string, obstacle: string): Fault {
  return new Fault(
    'not-allowed',
    `Only the user may ${what}: ${obstacle}.`,
    'Run it yourself in a terminal of your own.',
  );
}
