import { type Command, InvalidArgumentError } from 'commander';
import { isClean } from '../../demo/account.ts';
import type { Moment } from '../../demo/moment.ts';
import { team } from '../../demo/team.ts';
import { describeOutcome } from '../demo-account.ts';
import { Timeline } from '../demo-timeline.ts';
import { paint, writeError, writeJson, writeOut } from '../output.ts';
import { example, jsonOption, parseCount } from './options.ts';

/** What a shell says of a program that Ctrl-C ended. */
const interruptedExitCode = 130;
/** Every fact is kept until the account: an hour of them is enough. */
const maxSeconds = 3600;

export function addDemoCommand(program: Command): void {
  const command = program
    .command('demo')
    .description('real programs exchange messages while they are killed with -9; then the account')
    .option('--seconds <n>', 'how long they are killed', parseSeconds, 10);
  jsonOption(command);
  example(command, 'signalbox demo', 'signalbox demo --seconds 30', 'signalbox demo --json');
  command.addHelpText('after', about);
  command.action(async (options: { seconds: number; json?: true }) => {
    await watchDemo(options.seconds, options.json === true);
  });
}

async function watchDemo(seconds: number, json: boolean): Promise<void> {
  const { runDemo } = await import('../../demo/demo.ts');
  const columns = Math.min(140, Math.max(60, process.stdout.columns ?? 100));
  const timeline = new Timeline(team, columns, seconds);
  const draw = (moment: Moment): void => {
    const line = timeline.draw(moment);
    if (line !== undefined) writeOut(`${line}\n`);
  };
  const interrupt = new AbortController();
  const stop = (): void => interrupt.abort();
  for (const signal of signals) process.on(signal, stop);
  try {
    if (!json) writeOut(`${intro(seconds)}\n\n${timeline.heads()}\n`);
    const watch = json ? () => undefined : draw;
    const outcome = await runDemo({ seconds, signal: interrupt.signal, watch });
    json ? writeJson(outcome) : writeOut(describeOutcome(outcome, columns));
    if (!isClean(outcome.account)) process.exitCode = 1;
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    reportInterrupt(json);
  } finally {
    for (const signal of signals) process.off(signal, stop);
  }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function intro(seconds: number): string {
  return [
    `${paint('bold', 'signalbox demo')}: four programs, one ledger, ${seconds} s of kill -9.`,
    paint('dim', 'Join in: kill -9 any pid below. Ctrl-C ends it and leaves nothing behind.'),
  ].join('\n');
}

function reportInterrupt(json: boolean): void {
  const message = 'The demo was interrupted; its programs are ended and its folder is removed.';
  const next = 'Run it again for an account.';
  process.exitCode = interruptedExitCode;
  writeError(`signalbox: ${message} ${next}`);
  if (json) writeJson({ error: { code: 'interrupted', message, next } });
}

function parseSeconds(text: string): number {
  const seconds = parseCount(text);
  if (seconds <= maxSeconds) return seconds;
  throw new InvalidArgumentError(`Give a whole number from 1 to ${maxSeconds}.`);
}

const about = `
A lead and three others, each a process of its own, send each other jobs and answers through a ledger in a
throw-away folder. They are killed at random moments and exactly inside each crash window, and started again:
  ●  a program starts        ├─ job 7 ──►  a message, on disk (a sample of them is drawn)
  ✗  it is killed with -9    ↻  it gets copies that say that they may be repeats
The account is counted from what the programs received. Exit code 0 if none is lost, doubled or misplaced, else 1.`;
