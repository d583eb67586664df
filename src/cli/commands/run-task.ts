import type { Command } from 'commander';
import { callName } from '../../agents/reference.ts';
import type { RunDocument } from '../../protocol/printed.ts';
import { reachFailPoint } from '../../shared/fail-point.ts';
import { Fault } from '../../shared/fault.ts';
import { quote } from '../../shared/quote.ts';
import { shellWord } from '../../shared/shell-word.ts';
import { remark } from '../help.ts';
import { writeError, writeJson } from '../output.ts';
import { findWorkingFolder } from './agents.ts';
import { example, jsonOption } from './options.ts';

interface RunTaskOptions {
  readonly parent?: string;
  readonly title?: string;
  readonly json?: true;
}

/** `tail` is what stands after `--`: the command. */
export function addRunTaskCommand(program: Command, tail: readonly string[]): void {
  const command = program
    .command('run-task [words...]')
    .usage('[options] -- <command> [arguments...]')
    // Options of a command that was given without `--`: told apart below.
    .allowUnknownOption()
    .description('run a command once, however long it takes, and report its end to the parent')
    .option('--parent <agent>', 'the agent to tell; default: the agent that asks, else the user')
    .option('--title <title>', 'the title of the task; default: the command');
  jsonOption(command);
  example(
    command,
    'signalbox run-task -- make test',
    'signalbox run-task --parent lead --title "nightly build" -- ./build.sh --all',
    'signalbox run-task -- sh -c "npm ci && npm test"   # one shell for several commands',
  );
  remark(
    command,
    "The exit code is the command's own: 128 and the signal's number when a signal ended it, 127 when there is no such program.",
    "With --json the command's output goes to stderr; the document follows at the end.",
  );
  command.action((words: string[], options: RunTaskOptions) => {
    if (words.length > 0) throw notBehindDashes([...words, ...tail]);
    return runTask(tail, options);
  });
}

function notBehindDashes(words: readonly string[]): Fault {
  const [first = ''] = words;
  if (first.startsWith('-')) {
    const next = 'See `signalbox run-task --help`; the command to run stands after --.';
    return new Fault('usage', `There is no option ${quote(first, 40)}.`, next);
  }
  const line = words.map(shellWord).join(' ');
  const what = 'The command to run must stand after --, so that its options are not ours.';
  return new Fault('usage', what, `Run \`signalbox run-task -- ${line}\`.`);
}

async function runTask(argv: readonly string[], options: RunTaskOptions): Promise<void> {
  if (argv.length === 0 || argv[0] === '') {
    throw new Fault(
      'usage',
      'There is no command to run.',
      'Write it after --: `run-task -- make`.',
    );
  }
  const tell = (text: string): void => writeError(`signalbox: ${text}`);
  const { parent, json } = options;
  const { beginTask, endTask, taskEnvironment } = await import('../../client/run-task.ts');
  const { agent, title } = await beginTask(process.env, {
    ...{ title: options.title ?? argv.join(' '), cwd: findWorkingFolder() },
    ...(parent === undefined ? {} : { parent }),
  });
  await reachFailPoint('run-task.noted');
  const { runCommand } = await import('../run-command.ts');
  const { stdout, stderr } = process;
  const out = { stdout: json ? stderr : stdout, stderr };
  const end = await runCommand(argv, taskEnvironment(process.env, agent), out);
  if (end.failure !== undefined) tell(`${argv[0]}: ${end.failure}.`);
  await reachFailPoint('run-task.ended');
  // Only when it is on disk do we end, with the command's own code (O11).
  const told = await endTask(process.env, { ...end, title, agent }, tell);
  process.exitCode = end.exitCode;
  if (told.outcome === 'spooled') {
    tell(
      `The completion could not be committed (${told.why}) and waits in ${told.path}; the next signalbox command commits it.`,
    );
  }
  if (told.outcome === 'lost') {
    tell(
      `The completion could not be kept (${told.why}); the next signalbox command tells that nobody knows the end.`,
    );
  }
  if (told.outcome === 'committed' && told.completion.state === 'dead') {
    tell(`"${callName(agent)}" was removed while it ran; its completion is a dead letter.`);
  }
  if (!json) return;
  const { exitCode, durationMs } = end;
  const completion = told.outcome === 'committed' ? told.completion : null;
  writeJson<RunDocument>({ agent, exitCode, durationMs, completion });
}
