import { realpathSync } from 'node:fs';
import { userInfo } from 'node:os';
import { isUser } from '../../agents/agent.ts';
import { Fault } from '../../shared/fault.ts';
import { findObstacle, findStarter } from './judge-user.ts';
import { openContext } from './open.ts';

/**
 * Rule 54: consent is the user's own, given at a terminal. Throws where it is asked for by an
 * agent, by a program that a coding CLI started, or by a script, with what decided that. A guard
 * against mistakes, not a wall: agents run as the user.
 */
export async function requireConsent(env: NodeJS.ProcessEnv, what: string): Promise<void> {
  const obstacle = await judge(env);
  if (obstacle !== undefined) throw refused(what, obstacle);
}

export async function requireNoAgent(env: NodeJS.ProcessEnv, what: string): Promise<void> {
  const obstacle = findAgent(env);
  if (obstacle !== undefined) throw refused(what, obstacle);
}

/** Whether somebody can be asked at all. */
export async function mayConsent(env: NodeJS.ProcessEnv): Promise<boolean> {
  return (await judge(env)) === undefined;
}

/** For the record: who, and from where. */
export function describeConsent(): string {
  const terminal = [0, 1, 2].map(findTerminal).find((path) => path !== undefined);
  return `${userInfo().username} at ${terminal ?? 'a terminal'}`;
}

async function judge(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const agent = findAgent(env);
  if (agent !== undefined) return agent;
  const context = await openContext(env);
  try {
    const { caller } = context;
    if (!isUser(caller.agent)) return `it was started by the agent "${caller.agent.name}"`;
    return findObstacle(env, await context.ledger.read((tx) => tx.epochs.listOpen()));
  } finally {
    await context.ledger.close();
  }
}

function findAgent(env: NodeJS.ProcessEnv): string | undefined {
  if (env['SIGNALBOX_AGENT']) return 'SIGNALBOX_AGENT is set, so it is an agent that asks';
  return findStarter(env);
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
