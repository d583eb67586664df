import type { Command } from 'commander';
import type { LogSource } from '../../client/logs.ts';
import { parseJson } from '../../shared/json.ts';
import { stripSequences } from '../../shared/strip-sequences.ts';
import { formatLogLine } from '../log-line.ts';
import { mayBeRaw, writeDocument, writeJson, writeOut, writeRaw } from '../output.ts';
import { example, jsonOption, parseCount } from './options.ts';

interface LogOptions {
  readonly follow?: true;
  readonly lines: number;
  readonly raw?: true;
  readonly json?: true;
}

/** Enough of the end of a file for any number of lines that a person reads. */
const endBytes = 4 * 1024 * 1024;

export function addLogsCommand(program: Command): void {
  const command = program
    .command('logs [agent]')
    .description("the daemon's own log, or what an agent's terminal printed")
    .option('--follow', 'go on until interrupted; with --json one document per line')
    .option('--lines <n>', 'how many of the last lines', parseCount, 200)
    .option('--raw', "an agent's output with its escape sequences, also on a terminal");
  jsonOption(command);
  example(command, 'signalbox logs --follow', 'signalbox logs worker --lines 50');
  command.action(async (agent: string | undefined, options: LogOptions) => {
    const { findLog, followLog, readEnd } = await import('../../client/logs.ts');
    const source = await findLog(process.env, agent);
    const log = options.follow ? followLog(source.path, endBytes) : undefined;
    const end = log?.end ?? readEnd(source.path, endBytes);
    const last = lastLines(end.toString(encoding(source, options)), options.lines);
    show(source, last, options);
    if (!log) return;
    // Lines of the daemon's log are shown whole; a terminal's bytes as they come.
    let rest = '';
    for await (const piece of log.more) {
      const text = rest + piece.toString(encoding(source, options));
      const cut = source.agent ? text.length : text.lastIndexOf('\n') + 1;
      rest = text.slice(cut);
      if (cut > 0) show(source, text.slice(0, cut), options);
    }
  });
}

function show(source: LogSource, text: string, options: LogOptions): void {
  if (options.json) writeDocuments(source, text, options);
  else if (!source.agent)
    writeOut(
      toLines(text)
        .map((line) => `${formatLogLine(line)}\n`)
        .join(''),
    );
  else if (mayBeRaw(options)) writeBytes(text);
  else writeOut(stripSequences(text));
}

/** One document, or with --follow one for each line. */
function writeDocuments({ agent, path }: LogSource, text: string, options: LogOptions): void {
  if (agent) {
    const plain = options.raw ? text : stripSequences(text);
    writeJson({ agent, path, text: plain });
    return;
  }
  const lines = toLines(text).map((line) => parseJson(line) ?? { text: line });
  if (options.follow) for (const line of lines) writeDocument(JSON.stringify(line));
  else writeJson({ path, lines });
}

/** Raw bytes survive as latin1 whatever they are; what is read by people is UTF-8. */
function encoding({ agent }: LogSource, options: LogOptions): 'latin1' | 'utf8' {
  return agent && !options.json && mayBeRaw(options) ? 'latin1' : 'utf8';
}

function writeBytes(text: string): void {
  writeRaw(Buffer.from(text, 'latin1'));
}

function lastLines(text: string, count: number): string {
  let at = text.length;
  for (let found = 0; found <= count && at > 0; found++) at = text.lastIndexOf('\n', at - 1);
  return at <= 0 ? text : text.slice(at + 1);
}

function toLines(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}
