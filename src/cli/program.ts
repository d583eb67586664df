import { Command, CommanderError } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { Fault } from '../shared/fault.ts';
import { addAgentCommands } from './commands/agents.ts';
import { addAnswerCommand } from './commands/answer.ts';
import { addAttachCommand } from './commands/attach.ts';
import { addAttentionCommands } from './commands/attention.ts';
import { addCancelCommand } from './commands/cancel.ts';
import { addCompletionCommand, answerShell } from './commands/completion.ts';
import { addConfigCommand } from './commands/config.ts';
import { addDaemonCommands } from './commands/daemon.ts';
import { addDashboardCommand } from './commands/dashboard.ts';
import { addDeadLetterCommands } from './commands/dead-letters.ts';
import { addDemoCommand } from './commands/demo.ts';
import { addDetectCommand } from './commands/detect.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addEventsCommand } from './commands/events.ts';
import { addExplainCommand } from './commands/explain.ts';
import { addInboxCommands } from './commands/inbox.ts';
import { addInterruptCommand } from './commands/interrupt.ts';
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
import { remark, shapeHelp } from './help.ts';
import { writeOut } from './output.ts';
import { refuseInvalidArguments } from './read-body.ts';
import { reportFailure } from './run.ts';
import { explainUsage } from './usage-fault.ts';

/**
 * The whole command line; `tail` is what stands after `--` for commands that run another program.
 */
export function createProgram(tail: readonly string[]): Command {
  const program = shapeHelp(new Command('signalbox'))
    .usage('<command> [options]')
    .description('Messages between coding agents: durable, never silently lost or doubled.')
    .version(packageJson.version, '-V, --version')
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ writeOut, writeErr: () => undefined })
    .addHelpText('after', intro);
  remark(program, more, identity, exits);
  addDaemonCommands(program);
  addLaunchCommand(program, tail);
  addAgentCommands(program);
  addAttentionCommands(program);
  addDashboardCommand(program);
  addStatusCommand(program);
  addAnswerCommand(program);
  addAttachCommand(program);
  addOutputCommand(program);
  addInterruptCommand(program);
  addLifeCommands(program);
  addRunTaskCommand(program, tail);
  addSendCommand(program);
  addInboxCommands(program);
  addTaskCommands(program);
  addCancelCommand(program);
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
    else if (error.exitCode !== 0) reportFailure(explainUsage(error, program, own), json);
  }
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
First steps:
  $ signalbox launch claude --name lead     # Claude Code, in its own terminal
  $ signalbox send lead "Fix the tests"     # on disk before it returns
  $ signalbox ls                            # who does what, who waits for you`;

const more =
  '`signalbox <command> --help` says more about one of them, `signalbox --version` which version this is.';
const identity =
  'Inside an agent, SIGNALBOX_AGENT names that agent; `self` means it, and is the default there.';
const exits = `Exit codes: ${exitCodeMeanings.map((meaning, code) => `${code} ${meaning}`).join(', ')}.`;
