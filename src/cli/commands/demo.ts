import { type Command, InvalidArgumentError } from 'commander';
import type { FaultView } from '../../protocol/daemon.ts';
import type { DemoOutcome } from '../../protocol/demo.ts';
import { describeOutcome } from '../demo-account.ts';
import { DemoScreen } from '../demo-screen.ts';
import { remark } from '../help.ts';
import { writeError, writeJson, writeOut } from '../output.ts';
import { example, jsonOption, parseCount } from './options.ts';

/** What a shell says of a program that Ctrl-C ended. */
const interruptedExitCode = 130;
/** Every fact is kept until the account: an hour of them is enough. */
const maxSeconds = 3600;
const usualSeconds = 30;

interface DemoFlags {
  readonly seconds: number;
  readonly keep?: boolean;
  readonly json?: boolean;
}

export function addDemoCommand(program: Command): void {
  const command = program
    .command('demo')
    .description(
      'run a supervisor and three workers in tmux, kill a worker and the daemon, print the tally',
    )
    .option('--seconds <n>', 'about how long it takes', parseSeconds, usualSeconds)
    .option('--keep', 'leave the team and its folder, and say how to end them');
  jsonOption(command);
  example(command, 'signalbox demo', 'signalbox demo --seconds 60', 'signalbox demo --json');
  remark(command, ...about);
  command.action((flags: DemoFlags) => watchDemo(flags));
}

async function watchDemo({ seconds, keep = false, json = false }: DemoFlags): Promise<void> {
  const { isProven, runDemo } = await import('../../demo/demo.ts');
  const screen = new DemoScreen(process.stdout);
  const interrupt = new AbortController();
  const stop = (): void => interrupt.abort();
  for (const signal of signals) process.on(signal, stop);
  try {
    const watch = json ? () => undefined : screen.show.bind(screen);
    const outcome = await runDemo({ seconds, keep, signal: interrupt.signal, watch });
    if (!isProven(outcome)) process.exitCode = 1;
    if (json) return writeJson<DemoOutcome>(outcome);
    screen.close();
    const columns = Math.min(120, Math.max(50, process.stdout.columns ?? 100));
    writeOut(describeOutcome(outcome, columns));
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    reportInterrupt(json);
  } finally {
    for (const signal of signals) process.off(signal, stop);
  }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function reportInterrupt(json: boolean): void {
  const message = 'The demo was interrupted; it has ended its programs and removed its folder.';
  const next = 'Run it again for a tally.';
  process.exitCode = interruptedExitCode;
  writeError(`signalbox: ${message} ${next}`);
  if (json) writeJson<FaultView>({ error: { code: 'interrupted', message, next } });
}

function parseSeconds(text: string): number {
  const seconds = parseCount(text);
  if (seconds <= maxSeconds) return seconds;
  throw new InvalidArgumentError(`Give a whole number from 1 to ${maxSeconds}.`);
}

const about = [
  "A supervisor and three workers, small programs with the screens of a coding CLI and without a model, work in tmux in a throw-away folder, with signalbox's own MCP tools and hooks: the supervisor assigns three tasks, goes on, gets the answers as messages, and hands off a fourth.",
  'The demo kills a worker with -9 at its task: signalbox tells the supervisor, which finds another. Then it kills the daemon with -9 in the middle of the handoff.',
  'Every message carries a word that only its sender knew, and the tally counts the words that the programs received. Exit code 0 if all came back and nothing was lost, doubled or misplaced, else 1. Needs tmux 3.3a or newer.',
];
