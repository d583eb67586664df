import { resolve } from 'node:path';
import type { Command } from 'commander';
import { callName } from '../../agents/reference.ts';
import type { WhichAgents } from '../../client/client.ts';
import type { AgentView } from '../../protocol/agents.ts';
import type { RestartedDocument, Skipped, StoppedDocument } from '../../protocol/printed.ts';
import type { StopView } from '../../protocol/terminals.ts';
import { Fault } from '../../shared/fault.ts';
import { confirmEnd } from '../confirm-end.ts';
import { inLine, writeError, writeJson, writeOut } from '../output.ts';
import { reportFailed } from '../report-failed.ts';
import { reportUnwoken } from '../report-unwoken.ts';
import { withClient } from '../run.ts';
import { example, jsonOption } from './options.ts';

interface WhichOptions {
  readonly session?: string;
  readonly all?: true;
  readonly json?: true;
}

interface RestartOptions extends WhichOptions {
  readonly fresh?: true;
  readonly cwd?: string;
  readonly yes?: true;
}

/** Ends and begins lives: `stop` keeps the inbox, `restart` begins the next epoch. */
export function addLifeCommands(program: Command): void {
  stopCommand(program);
  restartCommand(program);
}

function stopCommand(program: Command): void {
  const command = program
    .command('stop [agents...]')
    .description('end the processes of agents for good; their inboxes and conversations stay')
    .option('--session <session>', 'every agent of this session')
    .option('--all', 'every agent');
  jsonOption(command);
  example(
    command,
    'signalbox stop worker',
    'signalbox stop --session checkout',
    'signalbox stop --all',
  );
  command.action((names: string[], options: WhichOptions) =>
    withClient(async (client) => {
      const stopping = client.stopAgents(which(names, options, 'stop'));
      const whom = names.length === 1 ? `"${names[0]}" has` : 'all have';
      const result = await (options.json
        ? stopping
        : tellWaiting(stopping, `waiting until ${whom} ended, for a minute at most`, 2000));
      const { done: stopped, failed } = result;
      reportFailed(failed);
      if (options.json)
        return writeJson<StoppedDocument>({ stopped, ...(failed.length > 0 ? { failed } : {}) });
      // Of all agents only those count that ran.
      const told = options.all ? stopped.filter(({ outcome }) => outcome === 'stopped') : stopped;
      if (told.length === 0 && failed.length === 0) return writeOut('no agent was running\n');
      return writeOut(told.map((one) => describeStopped(one, callName(one))).join(''));
    }),
  );
}

function describeStopped({ outcome, killed }: StopView, given: string): string {
  const name = inLine(given);
  if (outcome === 'already') return `${name} was not running\n`;
  return `${name} stopped${killed > 0 ? `; ${killed} processes had to be killed` : ''}\n`;
}

function restartCommand(program: Command): void {
  const command = program
    .command('restart [agents...]')
    .description('start agents again; each resumes its conversation if its CLI can')
    .option('--session <session>', 'every agent of this session')
    .option('--all', 'every agent that runs or that a reboot, a crash or a failure has ended')
    .option('--fresh', 'begin a new conversation')
    .option('--cwd <folder>', 'work in this folder from now on, in a new conversation')
    .option('--yes', 'do not ask before an agent at work is restarted');
  jsonOption(command);
  example(
    command,
    'signalbox restart worker',
    'signalbox restart worker --fresh',
    'signalbox restart worker --cwd ../api',
    'signalbox restart --all',
  );
  command.action((names: string[], options: RestartOptions) =>
    withClient(async (client) => {
      const wanted = which(names, options, 'restart');
      const { fresh = false, cwd } = options;
      if (cwd !== undefined && (names.length !== 1 || wanted.all || wanted.session !== undefined)) {
        throw new Fault('usage', '--cwd is for one agent.', 'Name that agent alone.');
      }
      const isSure = options.yes === true || options.json === true;
      const chosen = await confirmEnd(client, wanted, 'restart', { isSure });
      if (!chosen) return;
      const where = cwd === undefined ? {} : { cwd: resolve(cwd) };
      const restarted = client.restartAgents(chosen, { fresh, ...where });
      // A script reads the one document, and waits for that.
      const {
        done: agents,
        failed,
        skipped,
      } = await (options.json ? restarted : tellWaiting(restarted, describeComing(names), 1000));
      reportFailed(failed);
      if (failed.length > 0) {
        writeError(`signalbox: ${agents.length} started, ${failed.length} not`);
      }
      if (options.json)
        return writeJson<RestartedDocument>({
          agents,
          ...(skipped.length > 0 ? { skipped } : {}),
          ...(failed.length > 0 ? { failed } : {}),
        });
      writeOut(agents.map((one) => describeStarted(one, callName(one))).join(''));
      writeOut(skipped.map(describeSkipped).join(''));
      if (agents.length + failed.length + skipped.length === 0) writeOut('there is no agent\n');
      for (const { unwoken } of agents) reportUnwoken(unwoken);
    }),
  );
}

function describeSkipped({ why, ...agent }: Skipped): string {
  const name = callName(agent);
  const next = `\`signalbox restart ${name}\` starts it`;
  return `${inLine(`${name} was left alone: ${why}; ${next}`)}\n`;
}

function describeComing(names: readonly string[]): string {
  const whom = names.length === 1 ? `"${names[0]}" has` : 'all have';
  return `waiting until ${whom} come up, for a minute at most`;
}

/** A CLI takes its time to come up, and to end; whoever waits is told so (rule 48). */
async function tellWaiting<T>(work: Promise<T>, what: string, afterMs: number): Promise<T> {
  const timer = setTimeout(() => writeError(`signalbox: ${what}`), afterMs);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}

/** Only what lives is called started; what keeps it from work is said beside it. */
function describeStarted({ status, detail, notes = [] }: AgentView, name: string): string {
  const isNew = status === 'starting';
  const asks = status === 'waiting' ? `; it asks a person: ${detail ?? 'see its terminal'}` : '';
  const slow = isNew ? `; it is not ready yet, see \`signalbox attach ${inLine(name)}\`` : '';
  const remarks = notes.map((note) => `  ${inLine(note)}\n`).join('');
  return `${inLine(name)} started again${inLine(asks)}${slow}\n${remarks}`;
}

function which(
  names: readonly string[],
  { session, all }: WhichOptions,
  verb: string,
): WhichAgents {
  if (all && session !== undefined) {
    // Whoever meant all of that session would end everybody.
    throw new Fault(
      'usage',
      '--all is every agent of every session, and --session those of one.',
      'Give one of them.',
    );
  }
  if (names.length > 0 || session !== undefined || all) {
    return { names, ...(session === undefined ? {} : { session }), ...(all ? { all } : {}) };
  }
  throw new Fault(
    'usage',
    `You named no agent to ${verb}.`,
    'Name agents, or give --session or --all.',
  );
}
