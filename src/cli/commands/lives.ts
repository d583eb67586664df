import type { Command } from 'commander';
import type { AgentView } from '../../protocol/agents.ts';
import type { RestartedDocument, StoppedDocument } from '../../protocol/printed.ts';
import { Fault } from '../../shared/fault.ts';
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
  example(command, 'signalbox stop worker', 'signalbox stop --session checkout');
  command.action((names: string[], options: WhichOptions) =>
    withClient(async (client) => {
      const result = await client.stopAgents(which(names, options, 'stop'));
      const { done: stopped, failed } = result;
      reportFailed(failed);
      if (options.json)
        return writeJson<StoppedDocument>({ stopped, ...(failed.length > 0 ? { failed } : {}) });
      const lines = stopped.map(({ name: given, outcome, killed }) => {
        const name = inLine(given);
        if (outcome === 'already') return `${name} was not running\n`;
        return `${name} stopped${killed > 0 ? `; ${killed} processes had to be killed` : ''}\n`;
      });
      return writeOut(lines.join(''));
    }),
  );
}

function restartCommand(program: Command): void {
  const command = program
    .command('restart [agents...]')
    .description(
      'start agents again, in the next epoch; each resumes its conversation if its CLI can',
    )
    .option('--session <session>', 'every agent of this session')
    .option('--all', 'every agent')
    .option('--fresh', 'begin a new conversation');
  jsonOption(command);
  example(command, 'signalbox restart worker', 'signalbox restart worker --fresh');
  command.action((names: string[], options: WhichOptions & { fresh?: true }) =>
    withClient(async (client) => {
      const chosen = which(names, options, 'restart');
      const restarted = client.restartAgents(chosen, { fresh: options.fresh ?? false });
      // A script reads the one document, and waits for that.
      const { done: agents, failed } = await (options.json
        ? restarted
        : tellWaiting(restarted, names));
      reportFailed(failed);
      if (failed.length > 0) {
        writeError(`signalbox: ${agents.length} started, ${failed.length} not`);
      }
      if (options.json)
        return writeJson<RestartedDocument>({ agents, ...(failed.length > 0 ? { failed } : {}) });
      writeOut(agents.map(describeStarted).join(''));
      for (const { unwoken } of agents) reportUnwoken(unwoken);
    }),
  );
}

/** A CLI takes its time to come up; whoever waits is told so (rule 48). */
async function tellWaiting<T>(work: Promise<T>, names: readonly string[]): Promise<T> {
  const whom = names.length === 1 ? `"${names[0]}" has` : 'all have';
  const timer = setTimeout(
    () => writeError(`signalbox: waiting until ${whom} come up, for a minute at most`),
    1000,
  );
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}

/** Only what lives is called started; what keeps it from work is said beside it. */
function describeStarted({ name, epoch, status, detail, notes = [] }: AgentView): string {
  const isNew = status === 'starting';
  const asks = status === 'waiting' ? `; it asks a person: ${detail ?? 'see its terminal'}` : '';
  const slow = isNew ? `; it is not ready yet, see \`signalbox attach ${inLine(name)}\`` : '';
  const remarks = notes.map((note) => `  ${inLine(note)}\n`).join('');
  return `${inLine(name)} started, epoch ${epoch}${inLine(asks)}${slow}\n${remarks}`;
}

function which(names: readonly string[], { session, all }: WhichOptions, verb: string) {
  if (names.length > 0 || session !== undefined || all) {
    return { names, ...(session === undefined ? {} : { session }), ...(all ? { all } : {}) };
  }
  throw new Fault(
    'usage',
    `You named no agent to ${verb}.`,
    'Name agents, or give --session or --all.',
  );
}
