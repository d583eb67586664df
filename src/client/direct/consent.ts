import { realpathSync } from 'node:fs';
import { userInfo } from 'node:os';
import { isUser } from '../../agents/agent.ts';
import { callName } from '../../agents/reference.ts';
import { findFolders, ledgerPath } from '../../config/folders.ts';
import { hasControllingTerminal } from '../../shared/controlling-terminal.ts';
import { Fault } from '../../shared/fault.ts';
import { readTerminalPath } from '../../shared/processes.ts';
import { ledgerExists } from '../../store/sqlite/open.ts';
import { describeObstacle } from './describe-judged.ts';
import { findAgentStarter, findStarter } from './judge-user.ts';
import { hasLedger, openContext } from './open.ts';

/**
 * Rule 54: consent is the user's own, given at a terminal. Throws where it is asked for by an
 * agent, by a program that a coding CLI started, or by a script, with what decided that. A guard
 * against mistakes, not a wall: agents run as the user.
 */
export async function requireConsent(env: NodeJS.ProcessEnv, what: string): Promise<void> {
  const obstacle = await judge(env);
  if (obstacle !== undefined) throw refused(what, obstacle.said);
}

/**
 * The same, but a script of the user may: what a person's own set-up script does, such as adding a
 * profile of theirs, is what `cp` would do. An agent may not, in its own terminal either.
 */
export async function requireNoAgent(env: NodeJS.ProcessEnv, what: string): Promise<void> {
  const byLedger = async () =>
    ledgerExists(ledgerPath(findFolders(env))) ? await judge(env) : undefined;
  const obstacle = findMarked(env) ?? (await byLedger().catch(unlessFault));
  if (obstacle !== undefined && !obstacle.isScript) throw refused(what, obstacle.said);
}

/**
 * A ledger that cannot be used names no agent, and must not keep settings from being mended. One
 * that is only busy, or cannot be read just now, may name one in a moment (rule 41).
 */
function unlessFault(error: unknown): undefined {
  const isLasting = error instanceof Fault && !passing.has(error.code);
  if (!isLasting) throw error;
  return undefined;
}

const passing: ReadonlySet<string> = new Set(['ledger-busy', 'disk-trouble']);

/**
 * The user at a terminal, or a script of the user's that says so (`isSure`); no agent, whatever it
 * says.
 */
export async function requireUserOrSure(
  env: NodeJS.ProcessEnv,
  what: string,
  isSure: boolean,
): Promise<void> {
  const starter = findAgentStarter(env);
  const above = async () =>
    hasLedger(env) ? await findAgentAbove(env).catch(unlessFault) : undefined;
  const agent = starter ? describeObstacle(starter) : await above();
  if (agent !== undefined) throw refused(what, agent);
  if (isSure || hasControllingTerminal()) return;
  throw new Fault(
    'not-allowed',
    `Only the user may ${what}, and this has no terminal on which signalbox could ask.`,
    'Run it in a terminal of your own, or add --yes if you are sure.',
  );
}

async function findAgentAbove(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const context = await openContext(env);
  try {
    const { agent } = context.caller;
    return isUser(agent) ? undefined : `it was started by the agent "${callName(agent)}"`;
  } finally {
    await context.ledger.close();
  }
}

/** Whether somebody can be asked at all. */
export async function mayConsent(env: NodeJS.ProcessEnv): Promise<boolean> {
  return (await judge(env)) === undefined;
}

/** For the record: who, and from where. */
export function describeConsent(): string {
  const terminal = readTerminalPath(process.pid) ?? [0, 1, 2].map(findTerminal).find(Boolean);
  return `${userInfo().username} at ${terminal ?? 'a terminal'}`;
}

interface Refusal {
  readonly said: string;
  readonly isScript?: true;
}

async function judge(env: NodeJS.ProcessEnv): Promise<Refusal | undefined> {
  const marked = findMarked(env);
  if (marked !== undefined) return marked;
  const { ledger, judged } = await openContext(env);
  try {
    const { caller, why } = judged;
    if (!isUser(caller.agent))
      return { said: `it was started by the agent "${callName(caller.agent)}"` };
    if (why === undefined || why.kind === 'process' || why.kind === 'named') return undefined;
    const said = describeObstacle(why);
    return why.kind === 'no-terminal' ? { said, isScript: true } : { said };
  } finally {
    await ledger.close();
  }
}

function findMarked(env: NodeJS.ProcessEnv): Refusal | undefined {
  if (env['SIGNALBOX_AGENT'] && env['SIGNALBOX_AGENT'] !== 'user') {
    return { said: 'SIGNALBOX_AGENT is set, so it is an agent that asks' };
  }
  const starter = findStarter(env);
  return starter && { said: describeObstacle(starter) };
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
