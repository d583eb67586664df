import { existsSync } from 'node:fs';
import type { Clock } from '../../shared/clock.ts';
import { readEnvironment } from '../../shared/process-tree.ts';
import { readStartTime } from '../../shared/processes.ts';
import type { Terminal, TerminalHelper, WantedTerminal } from '../backend.ts';
import type { Connection } from './connection.ts';
import { guarded, identityFormat, marks } from './identity.ts';
import { checkProgram, passedNames } from './program.ts';
import { discard, type Started, startProgram } from './start-program.ts';

export interface LaunchParts {
  readonly connection: Connection;
  readonly ledgerId: string;
  readonly clock: Clock;
}

export interface Launched {
  readonly terminal: Terminal;
  readonly window: string;
  readonly session: string;
}

/**
 * Starts an agent in a tmux session of its own, its helpers before it. When anything fails, what was started is taken back;
 * without a connection that is not possible, and then it stays, carries its marks, and is found as ours later.
 */
export async function launchTerminal(
  { connection, ledgerId, clock }: LaunchParts,
  wanted: WantedTerminal,
  signal?: AbortSignal,
): Promise<Launched> {
  checkProgram(wanted.argv, wanted.env, wanted.cwd);
  signal?.throwIfAborted();
  const started: Started[] = [];
  try {
    for (const helper of wanted.helpers) {
      const session = started[0]?.session;
      started.push(await startProgram(connection, ledgerId, helperOf(wanted, helper, session)));
      await waitForPath(helper.readyPath, clock, signal);
    }
    const session = started[0]?.session;
    const agent = await startProgram(connection, ledgerId, agentOf(wanted, session));
    started.push(agent);
    await waitForProgram(agent.pid, wanted.env, clock);
    signal?.throwIfAborted();
    const terminal = await identify(connection, ledgerId, wanted, agent);
    return { terminal, window: agent.window, session: agent.session };
  } catch (error) {
    for (const one of started.reverse()) await discard(connection, one).catch(() => undefined);
    throw error;
  }
}

function agentOf(wanted: WantedTerminal, session: string | undefined) {
  const { agent, epoch, logPath, name, argv } = wanted;
  const options = {
    [marks.agent]: agent,
    [marks.epoch]: String(epoch),
    [marks.log]: encodeURI(logPath),
  };
  return { wanted, session, windowName: name, argv, options, watch: { agent, logPath } };
}

function helperOf(wanted: WantedTerminal, helper: TerminalHelper, session: string | undefined) {
  const options = { [marks.helper]: wanted.agent, [marks.epoch]: String(wanted.epoch) };
  return { wanted, session, windowName: helper.name, argv: helper.argv, options };
}

/** The start time is kept with the pane: once the program has ended nobody can tell any more when it began. */
async function identify(
  connection: Connection,
  ledgerId: string,
  { agent, epoch }: WantedTerminal,
  { server, pane, pid }: Started,
): Promise<Terminal> {
  const startedAt = readStartTime(pid) ?? '';
  const terminal = { agent, epoch, server, pane, pid, startedAt };
  await connection.ask(
    guarded(pane, identityFormat(ledgerId, terminal), [
      ['set-option', '-p', '-t', pane, marks.startedAt, startedAt],
    ]),
  );
  return terminal;
}

/** A helper that is not ready by then may be ready soon: the agent is started all the same. */
const readyMs = 15_000;
const readyCheckMs = 25;

/**
 * tmux names a process that it has forked and that is still tmux itself: 37 of 200 had not executed anything yet when they were
 * looked at (tmux 3.3a, two busy cores). Whoever then reads its environment, to find what the CLI writes, reads the server's.
 */
const executedMs = 2000;
const executedCheckMs = 5;

async function waitForProgram(
  pid: number,
  env: Readonly<Record<string, string>>,
  clock: Clock,
): Promise<void> {
  const names = passedNames(env);
  const deadline = clock.monotonicMs() + executedMs;
  while (clock.monotonicMs() < deadline) {
    // It has ended already, or this system does not tell.
    const has = readEnvironment(pid);
    if (!has || names.every((name) => has[name] === env[name])) return;
    await clock.sleep(executedCheckMs);
  }
}

async function waitForPath(
  path: string | undefined,
  clock: Clock,
  signal?: AbortSignal,
): Promise<void> {
  const deadline = clock.monotonicMs() + readyMs;
  while (path !== undefined && !existsSync(path) && clock.monotonicMs() < deadline) {
    await clock.sleep(readyCheckMs, signal);
  }
}
