import type { Command } from 'commander';
import { callName } from '../../agents/reference.ts';
import type { InterruptView } from '../../protocol/interrupt.ts';
import { Fault } from '../../shared/fault.ts';
import { formatSpan } from '../../shared/units.ts';
import { describeInterrupt } from '../describe-interrupt.ts';
import { writeError, writeJson, writeOut } from '../output.ts';
import { withClient } from '../run.ts';
import { example, jsonOption, parseSpanOption } from './options.ts';

const usualMs = 10_000;
/** One request of the daemon. */
const mostMs = 50_000;
/** What became of its messages is known after some seconds. */
const tellAfterMs = 2000;

/** docs/decisions/0028-what-esc-meets.md */
const limits = `
It is refused while the agent asks you something, at rest,
and with a draft in the composer. Esc is pressed only while
the screen shows work and no dialog. A question that the CLI
is about to ask at that very moment ends with the turn:
nothing is allowed.

`;

export function addInterruptCommand(program: Command): void {
  const command = program
    .command('interrupt <agent>')
    .description('end the turn that an agent works on, as Esc in its terminal would; you alone may')
    .option(
      '--timeout <span>',
      `how long to wait for the end of its turn (${formatSpan(usualMs)} if left out)`,
      parseSpanOption,
      usualMs,
    );
  jsonOption(command);
  command.addHelpText('after', limits);
  example(
    command,
    'signalbox interrupt lead',
    'signalbox interrupt shop/lead --timeout 30s --json',
  );
  command.action((agent: string, { timeout, json }: { timeout: number; json?: true }) => {
    if (timeout < 1 || timeout > mostMs) {
      throw new Fault(
        'usage',
        '--timeout is more than 0 and at most 50s.',
        'Leave it out for 10 s.',
      );
    }
    return withClient(async (client) => {
      const asking = client.interrupt(agent, timeout);
      const waits = `waiting until its turn has ended, and what that did is known, for ${formatSpan(timeout)} at most`;
      const timer = json
        ? undefined
        : setTimeout(() => writeError(`signalbox: ${waits}`), tellAfterMs);
      const done = await asking.finally(() => clearTimeout(timer));
      if (json) return writeJson<InterruptView>(done);
      return writeOut(`${describeInterrupt(done, callName(done))}\n`);
    });
  });
}
