import type { Command } from 'commander';
import type { CompletionScript } from '../../protocol/printed.ts';
import { Fault } from '../../shared/fault.ts';
import { type Shell, shells, writeScript } from '../completion/scripts.ts';
import { writeJson, writeOut } from '../output.ts';
import { example, jsonOption } from './options.ts';

export function addCompletionCommand(program: Command): void {
  const command = program
    .command('completion <shell>')
    .description(`print a completion script for ${shells.join(', ')}`);
  jsonOption(command);
  example(command, 'source <(signalbox completion bash)', 'signalbox completion fish | source');
  command.action((shell: string, options: { json?: true }) => {
    if (!(shells as readonly string[]).includes(shell)) {
      throw new Fault(
        'usage',
        `There is no completion script for "${shell}".`,
        `Shells are ${shells.join(', ')}.`,
      );
    }
    const script = writeScript(shell as Shell);
    return options.json ? writeJson<CompletionScript>({ shell, script }) : writeOut(script);
  });
}

/** What a script asks at every TAB; see completion/scripts.ts. */
export async function answerShell(program: Command, line: readonly string[]): Promise<void> {
  const { complete } = await import('../completion/complete.ts');
  const { lookUp } = await import('../completion/look-up.ts');
  const { offers, paths } = await complete(program, line, lookUp);
  const lines = offers.map(({ word, about }) => `${word}\t${about}`);
  writeOut([...lines, ...(paths ? [`:${paths}`] : [])].map((one) => `${one}\n`).join(''));
}
