import type { Clock } from '../../shared/clock.ts';
import { tellLastWords } from '../../shared/last-words.ts';
import { isAlive, readStartTime } from '../../shared/processes.ts';
import { reportBug } from '../../shared/report-bug.ts';
import { checkProgram } from '../check-program.ts';
import type { Terminal, TerminalHelper, WantedTerminal } from '../terminal.ts';
import { helperEnded, waitForPath, waitForProgram } from '../wait-for-program.ts';
import type { Connection } from './connection.ts';
import { guarded, identityFormat, marks } from './identity.ts';
import { readLastScreen } from './last-words.ts';
import { pickEnvironment } from './program.ts';
import { discard, type Program, type Started, startProgram } from './start-program.ts';

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
 * Starts an agent in a tmux session of its own, its helpers before it. When anything fails, what
 * was started is taken back; without a connection that is not possible, and then it stays, carries
 * its marks, and is found as ours later.
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
      const one = await startProgram(connection, ledgerId, helperOf(wanted, helper, session));
      started.push(one);
      await waitForHelper({ connection, clock, signal }, wanted.called, helper, one);
    }
    const session = started[0]?.session;
    const agent = await startProgram(connection, ledgerId, agentOf(wanted, session));
    started.push(agent);
    await waitForProgram(agent.pid, pickEnvironment(wanted.env), clock);
    signal?.throwIfAborted();
    const terminal = await identify(connection, ledgerId, wanted, agent);
    return { terminal, window: agent.window, session: agent.session };
  } catch (error) {
    for (const one of started.reverse()) {
      // The next reconciliation closes what no life claims.
      await discard(connection, one).catch((left) =>
        reportBug('taking back a launch in tmux', left),
      );
    }
    throw error;
  }
}

/** One that dies is not waited for: its pane still shows what it said. */
async function waitForHelper(
  { connection, clock, signal }: Pick<LaunchParts, 'connection' | 'clock'> & HelperSignal,
  called: string,
  helper: TerminalHelper,
  started: Started,
): Promise<void> {
  const hasEnded = (): boolean => !isAlive(started.pid);
  if ((await waitForPath(helper.readyPath, { clock, hasEnded, signal })) !== 'ended') return;
  const screen = await readLastScreen(connection, started, clock);
  throw helperEnded(called, helper.name, tellLastWords(screen));
}

interface HelperSignal {
  readonly signal: AbortSignal | undefined;
}

function agentOf(wanted: WantedTerminal, session: string | undefined) {
  const { agent, epoch, logPath, name, argv } = wanted;
  const options = {
    [marks.agent]: agent,
    [marks.epoch]: String(epoch),
    [marks.log]: encodeURI(logPath),
    [marks.size]: `${wanted.columns}x${wanted.rows}`,
  };
  return { wanted, session, windowName: name, argv, options, watch: { agent, epoch, logPath } };
}

export function helperOf(
  wanted: Program['wanted'] & Pick<WantedTerminal, 'agent' | 'epoch'>,
  helper: TerminalHelper,
  session: string | undefined,
): Program {
  const options = { [marks.helper]: wanted.agent, [marks.epoch]: String(wanted.epoch) };
  const env = helper.env ?? wanted.env;
  return {
    wanted: { ...wanted, env },
    session,
    windowName: helper.name,
    argv: helper.argv,
    options,
  };
}

/**
 * The start time is kept with the pane: once the program has ended nobody can tell any more when it
 * began.
 */
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
