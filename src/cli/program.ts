import { Command, CommanderError } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { Fault } from '../shared/fault.ts';
import { addAgentCommands } from './commands/agents.ts';
import { addCompletionCommand } from './commands/completion.ts';
import { addConfigCommand } from './commands/config.ts';
import { addDeadLetterCommands } from './commands/dead-letters.ts';
import { addDemoCommand } from './commands/demo.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addExplainCommand } from './commands/explain.ts';
import { addInboxCommands } from './commands/inbox.ts';
import { addSendCommand } from './commands/send.ts';
import { writeOut } from './output.ts';
import { refuseInvalidArguments } from './read-body.ts';
import { reportFailure } from './run.ts';

function createProgram(): Command {
  const program = new Command('signalbox')
    .description('Messages between coding agents: durable, never silently lost or doubled.')
    .version(packageJson.version, '-V, --version')
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ writeOut, writeErr: () => undefined })
    .addHelpText('after', intro);
  addAgentCommands(program);
  addSendCommand(program);
  addInboxCommands(program);
  addExplainCommand(program);
  addDeadLetterCommands(program);
  addConfigCommand(program);
  addDoctorCommand(program);
  addDemoCommand(program);
  addCompletionCommand(program);
  return program;
}

export async function runCli(args: readonly string[]): Promise<void> {
  const end = args.indexOf('--');
  const json = (end < 0 ? args : args.slice(0, end)).includes('--json');
  const program = createProgram();
  try {
    refuseInvalidArguments(args);
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) reportFailure(error, json);
    else if (error.exitCode !== 0) reportFailure(usageFault(error), json);
  }
}

function usageFault(error: Error): Fault {
  const text = error.message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ');
  // A group of commands without one of them ("signalbox inbox"), or help for one that does not exist: commander says only
  // "(outputHelp)".
  const said = text === '(outputHelp)' ? 'The command is missing or unknown' : capitalise(text);
  const next = 'See `signalbox --help`, or --help after any command.';
  return new Fault('usage', /[.!?)]$/.test(said) ? said : `${said}.`, next, { cause: error });
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const intro = `
Two minutes:
  $ signalbox agents add worker            # somebody with an inbox
  $ signalbox send worker "Build the API"  # on disk before it returns
  $ signalbox inbox drain worker           # taken once; a crash in between hands it out again, marked
  $ signalbox explain msg_…                # the whole story of one message

Inside an agent SIGNALBOX_AGENT names who is asking; \`self\` means that agent, and is the default there.
Exit codes: 0 done, 1 failed, 2 usage, 3 not found, 4 timed out, 5 refused, 7 needs attention (doctor).`;
