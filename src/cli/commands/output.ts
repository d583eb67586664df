import type { Command } from 'commander';
import { Fault } from '../../shared/fault.ts';
import { neutralise, paint, writeError, writeJson, writeOut } from '../output.ts';
import { withClient } from '../run.ts';
import { example, jsonOption } from './options.ts';

interface OutputOptions {
  readonly full?: true;
  readonly last?: true;
  readonly follow?: true;
  readonly json?: true;
}

export function addOutputCommand(program: Command): void {
  const command = program
    .command('output <agent>')
    .description('what an agent said: its screen, or more')
    .option('--full', 'screen and scrollback')
    .option('--last', 'its last answer, from its transcript where it keeps one')
    .option('--follow', 'raw output from now on, until interrupted');
  jsonOption(command);
  example(command, 'signalbox output worker --last', 'signalbox output worker --follow');
  command.action((agent: string, options: OutputOptions) => {
    if (options.full && options.last) {
      throw new Fault('usage', '--full and --last exclude each other.', 'Give one of them.');
    }
    return withClient(async (client) => {
      if (options.follow) {
        for await (const piece of client.followOutput(agent)) {
          if (options.json) writeJson(piece);
          else if (piece.bytes !== undefined)
            process.stdout.write(Buffer.from(piece.bytes, 'base64'));
          else writeError(`signalbox: ${piece.lost ?? 0} bytes were dropped here`);
        }
        return;
      }
      const mode = options.last ? 'last' : options.full ? 'full' : 'screen';
      const output = await client.output(agent, mode);
      if (options.json) return writeJson(output);
      const searched = output.searched.join(', ');
      if (output.response === 'unknown') {
        return writeError(
          `signalbox: which of its words are an answer cannot be told; see \`signalbox output ${agent} --full\`.`,
        );
      }
      if (output.response === 'none' && mode === 'last') {
        return writeError(paint('dim', `no response (searched: ${searched})`));
      }
      if (output.response === 'partial') {
        writeError(paint('dim', `partial: its beginning is lost (searched: ${searched})`));
      }
      return writeOut(output.text === '' ? '' : `${neutralise(output.text)}\n`);
    });
  });
}
