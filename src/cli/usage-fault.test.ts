import { CommanderError } from 'commander';
import { expect, test } from 'vitest';
import { createProgram } from './program.ts';
import { explainUsage } from './usage-fault.ts';

/** What is told of this line. */
async function explain(line: string): Promise<string> {
  const args = line.split(' ').filter(Boolean);
  const program = createProgram([]);
  for (const command of [program, ...program.commands.flatMap((one) => [one, ...one.commands])]) {
    command.configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
  }
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const fault = explainUsage(error, program, args);
    expect(fault.code).toBe('usage');
    return `${fault.message} ${fault.next}`;
  }
  throw new Error(`${line} was taken`);
}

test.each([
  [
    'lunch claude',
    'There is no command "lunch". Did you mean `signalbox launch`? See `signalbox --help`.',
  ],
  [
    'inbox lst',
    'There is no command "lst" in `signalbox inbox`. Did you mean `signalbox inbox list`? See `signalbox inbox --help`.',
  ],
  [
    'config nope',
    'There is no command "nope" in `signalbox config`. See `signalbox config --help`.',
  ],
  ['help nope', 'There is no command "nope". See `signalbox --help`.'],
  [
    'ls --wat',
    '`signalbox ls` has no option "--wat". Did you mean --watch? See `signalbox ls --help`.',
  ],
  ['-v', '`signalbox` has no option "-v". Did you mean --version? See `signalbox --help`.'],
  [
    'send',
    '`signalbox send` needs <agent>. For example `signalbox send lead "Split the checkout work"`. See `signalbox send --help`.',
  ],
  [
    'detect',
    '`signalbox detect` needs --provider <provider>. For example `signalbox detect --provider codex`. See `signalbox detect --help`.',
  ],
  ['ls --session', '--session needs a value: --session <session>. See `signalbox ls --help`.'],
  ['send a --wait', '--wait needs one of injected, seen, acked. For example `--wait acked`.'],
  ['send a --wait x', '"x" is no value for --wait. Give one of injected, seen, acked.'],
  ['send a --ttl 5', '"5" is no value for --ttl. It has no unit: write 5s, 5m, 5h or 5d.'],
  ['send a --ttl 0', '"0" is no value for --ttl. Give a span such as 90s, 30m, 1h or 2d.'],
  ['logs --lines x', '"x" is no value for --lines. Give a whole number from 1.'],
  [
    'ls extra',
    '`signalbox ls` takes no arguments, and got 1: "extra" is one too many. See `signalbox ls --help`.',
  ],
  [
    'inbox drain a b',
    '`signalbox inbox drain` takes one argument, and got 2: "b" is one too many. See `signalbox inbox drain --help`.',
  ],
  [
    'inbox',
    '`signalbox inbox` needs one of its commands: list, show, drain, ack. Try `signalbox inbox list`; `signalbox inbox --help` explains all of them.',
  ],
])('%s', async (line, said) => {
  expect(await explain(line)).toBe(said);
});
