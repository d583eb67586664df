import { Command, CommanderError } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { Fault } from '../shared/fault.ts';
import { addAgentCommands } from './commands/agents.ts';
import { addAttachCommand } from './commands/attach.ts';
import { addAttentionCommands } from './commands/attention.ts';
import { addCompletionCommand, answerShell } from './commands/completion.ts';
import { addConfigCommand } from './commands/config.ts';
import { addDaemonCommands } from './commands/daemon.ts';
import { addDeadLetterCommands } from './commands/dead-letters.ts';
import { addDemoCommand } from './commands/demo.ts';
import { addDetectCommand } from './commands/detect.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addEventsCommand } from './commands/events.ts';
import { addExplainCommand } from './commands/explain.ts';
import { addInboxCommands } from './commands/inbox.ts';
import { addLaunchCommand } from './commands/launch.ts';
import { addLifeCommands } from './commands/lives.ts';
import { addLogsCommand } from './commands/logs.ts';
import { addMcpCommand } from './commands/mcp.ts';
import { addOutputCommand } from './commands/output.ts';
import { addProfileCommands } from './commands/profile.ts';
import { addRunTaskCommand } from './commands/run-task.ts';
import { addSendCommand } from './commands/send.ts';
import { addStatusCommand } from './commands/status.ts';
import { addTaskCommands } from './commands/tasks.ts';
import { addTrustCommand } from './commands/trust.ts';
import { addUninstallCommand } from './commands/uninstall.ts';
import { askWord } from './completion/scripts.ts';
import { writeOut } from './output.ts';
import { refuseInvalidArguments } from './read-body.ts';
import { reportFailure } from './run.ts';

/**
 * The whole command line; `tail` is what stands after `--` for commands that run another program.
 */
export function createProgram(tail: readonly string[]): Command {
  const program = new Command('signalbox')
    .description('Messages between coding agents: durable, never silently lost or doubled.')
    .version(packageJson.version, '-V, --version')
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ writeOut, writeErr: () => undefined })
    .addHelpText('after', intro);
  addDaemonCommands(program);
  addLaunchCommand(program, tail);
  addAgentCommands(program);
  addAttentionCommands(program);
  addStatusCommand(program);
  addAttachCommand(program);
  addOutputCommand(program);
  addLifeCommands(program);
  addRunTaskCommand(program, tail);
  addSendCommand(program);
  addInboxCommands(program);
  addTaskCommands(program);
  addExplainCommand(program);
  addDeadLetterCommands(program);
  addEventsCommand(program);
  addLogsCommand(program);
  addProfileCommands(program);
  addTrustCommand(program);
  addDetectCommand(program);
  addMcpCommand(program);
  addConfigCommand(program);
  addDoctorCommand(program);
  addDemoCommand(program);
  addUninstallCommand(program);
  addCompletionCommand(program);
  return program;
}

export async function runCli(args: readonly string[]): Promise<void> {
  if (args[0] === askWord) return answerShell(createProgram([]), args.slice(1));
  const end = args.indexOf('--');
  const own = end < 0 ? args : args.slice(0, end);
  const json = own.includes('--json');
  // What follows `--` is the CLI's that is launched, or the command that is run; everywhere else it
  // is an operand.
  const hasTail = args[0] === 'launch' || args[0] === 'run-task';
  const program = createProgram(hasTail && end >= 0 ? args.slice(end + 1) : []);
  try {
    refuseInvalidArguments(args);
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync([...(hasTail ? own : args)], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) reportFailure(explainFolder(error), json);
    else if (error.exitCode !== 0)
      reportFailure(usageFault(error, findCommand(program, own)), json);
  }
}

function findCommand(program: Command, args: readonly string[]): Command | undefined {
  return program.commands.find((one) => one.name() === args[0]);
}

/** Whatever a command does with paths fails alike where its folder was deleted meanwhile. */
function explainFolder(error: unknown): unknown {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (code !== 'ENOENT' || syscall !== 'uv_cwd') return error;
  return new Fault(
    'invalid-input',
    'The folder that this command was started in has been deleted.',
    'Go to a folder that is there, such as `cd ~`, and run it again.',
    { cause: error },
  );
}

function usageFault(error: Error, command: Command | undefined): Fault {
  const text = error.message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ');
  if (text === '(outputHelp)' && command && command.commands.length > 0) {
    // A group, such as `inbox`, without one of its commands.
    const name = `signalbox ${command.name()}`;
    const names = command.commands.map((one) => one.name());
    return new Fault(
      'usage',
      `\`${name}\` needs one of its commands: ${names.join(', ')}.`,
      `Try \`${name} ${names[0]}\`; \`${name} --help\` explains all of them.`,
      { cause: error },
    );
  }
  const missing = /^option '.*?(--[a-z-]+) <.*>' argument missing$/.exec(text)?.[1];
  const option = command?.options.find(({ long }) => long === missing);
  if (missing !== undefined && option?.argChoices) {
    return new Fault(
      'usage',
      `${missing} needs one of ${option.argChoices.join(', ')}.`,
      `For example \`${missing} ${option.argChoices.at(-1)}\`.`,
      { cause: error },
    );
  }
  // A group of commands without one of them ("signalbox inbox"), or help for one that does not
  // exist: commander says only "(outputHelp)".
  const said = text === '(outputHelp)' ? 'The command is missing or unknown' : capitalise(text);
  const next = 'See `signalbox --help`, or --help after any command.';
  return new Fault('usage', /[.!?)]$/.test(said) ? said : `${said}.`, next, { cause: error });
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** By exit code; which error has which code is in shared/fault.ts, and `doctor` alone has 7. */
export const exitCodeMeanings = [
  'done',
  'failed',
  'usage',
  'not found',
  'timed out',
  'refused',
  'no daemon',
  'needs attention (doctor)',
] as const;

const intro = `
Two minutes:
  $ signalbox agents add worker            # an agent with an inbox
  $ signalbox send worker "Build the API"  # on disk before it returns
  $ signalbox inbox drain worker           # takes it once; after a crash it comes again, marked
  $ signalbox explain worker:1             # the whole history of one message

Inside an agent, SIGNALBOX_AGENT names that agent; \`self\` means it, and is the default there.
Exit codes: ${exitCodeMeanings.map((meaning, code) => `${code} ${meaning}`).join(', ')}.`;
