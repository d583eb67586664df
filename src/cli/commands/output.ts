import type { Command } from 'commander';
import type { Client } from '../../client/client.ts';
import type { OutputPiece, OutputView } from '../../protocol/terminals.ts';
import { Fault } from '../../shared/fault.ts';
import { shellWord } from '../../shared/shell-word.ts';
import { inLine, mayBeRaw, writeError, writeJson, writeOut, writeRaw } from '../output.ts';
import { frameWords } from '../reader.ts';
import { withClient } from '../run.ts';
import { paint } from '../screen-codes.ts';
import { WordReader } from '../word-reader.ts';
import { example, jsonOption } from './options.ts';

interface OutputOptions {
  readonly full?: true;
  readonly last?: true;
  readonly follow?: true;
  readonly raw?: true;
  readonly json?: true;
}

export function addOutputCommand(program: Command): void {
  const command = program
    .command('output <agent>')
    .description('print an agent’s screen, its scrollback or its last answer')
    .option('--full', 'print the screen and the scrollback')
    .option('--last', 'print its last answer, from its transcript where it keeps one')
    .option('--follow', 'print its output from now on, until you interrupt it')
    .option('--raw', 'with --follow: keep its escape sequences, also on a terminal or for a model');
  jsonOption(command);
  example(command, 'signalbox output worker --last', 'signalbox output worker --follow');
  command.action((agent: string, options: OutputOptions) => {
    if (options.raw && !options.follow) {
      throw new Fault('usage', 'You gave --raw without --follow.', 'See `signalbox logs --raw`.');
    }
    if (options.full && options.last) {
      throw new Fault('usage', '--full and --last exclude each other.', 'Give one of them.');
    }
    return withClient(async (client) => {
      if (options.follow) return follow(client, agent, options);
      const mode = options.last ? 'last' : options.full ? 'full' : 'screen';
      const output = await client.output(agent, mode);
      if (options.json) return writeJson<OutputView>(output);
      const searched = output.searched.join(', ');
      if (output.response === 'unknown') {
        return writeError(
          `signalbox: it is not clear which of its words are the answer; see \`signalbox output ${shellWord(agent)} --full\`.`,
        );
      }
      if (output.response === 'none' && mode === 'last') {
        return writeError(paint('dim', `no response (searched: ${searched})`));
      }
      if (output.response === 'partial') {
        const why = 'its beginning is lost, or its end is to come';
        writeError(paint('dim', `partial: ${why} (searched: ${searched})`));
      }
      if (output.earlier) {
        writeError(
          paint('dim', 'this is the answer of an earlier turn; the latest one has said nothing'),
        );
      }
      const what = `${mode === 'last' ? 'last answer' : 'screen'} of ${inLine(agent)}`;
      return writeOut(frameWords(what, output.text === '' ? '' : `${output.text}\n`));
    });
  });
}

/**
 * A file or a pipe gets the bytes as they were; a person's terminal and a model get text, unless
 * they were asked for.
 */
async function follow(client: Client, agent: string, options: OutputOptions): Promise<void> {
  const isRaw = mayBeRaw(options);
  const reader = new WordReader(`output of ${inLine(agent)}`);
  for await (const piece of client.followOutput(agent)) {
    if (options.json) writeJson<OutputPiece>(piece);
    else if (piece.bytes === undefined) {
      writeError(`signalbox: ${piece.lost ?? 0} bytes were dropped here`);
    } else if (isRaw) writeRaw(Buffer.from(piece.bytes, 'base64'));
    else writeOut(reader.read(Buffer.from(piece.bytes, 'base64')));
  }
  if (!options.json && !isRaw) writeOut(reader.end());
}
