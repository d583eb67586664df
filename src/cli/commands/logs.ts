import { StringDecoder } from 'node:string_decoder';
import type { Command } from 'commander';
import { callName } from '../../agents/reference.ts';
import type { LogSource } from '../../client/logs.ts';
import type { DaemonLogDocument, TerminalLogDocument } from '../../protocol/printed.ts';
import { parseJson } from '../../shared/json.ts';
import { formatLogLine } from '../log-line.ts';
import { inLine, writeDocument, writeError, writeJson, writeOut, writeRaw } from '../output.ts';
import { PlainReader } from '../plain-reader.ts';
import { WordReader } from '../word-reader.ts';
import { example, jsonOption, parseCount } from './options.ts';

interface LogOptions {
  readonly follow?: true;
  readonly lines: number;
  readonly raw?: true;
  readonly json?: true;
}

/** Enough of the end of a file for any number of lines that a person reads. */
const endBytes = 4 * 1024 * 1024;
/** All that is kept of a terminal's output: what still stands there may have been painted early. */
const keptBytes = 18 * 1024 * 1024;

export function addLogsCommand(program: Command): void {
  const command = program
    .command('logs [agent]')
    .description("print the daemon's log, or what an agent's terminal showed")
    .option(
      '--follow',
      'print new lines until you interrupt it; with --json, one document per line',
    )
    .option('--lines <n>', 'print this many of the last lines', parseCount, 200)
    .option(
      '--raw',
      'print the bytes that the terminal got, instead of the lines that a person saw',
    );
  jsonOption(command);
  example(command, 'signalbox logs --follow', 'signalbox logs worker --lines 50');
  command.action(async (agent: string | undefined, options: LogOptions) => {
    const { drawLog, findLog, followLog, readEnd } = await import('../../client/logs.ts');
    const source = await findLog(process.env, agent);
    const isRendered = source.agent !== undefined && !options.raw;
    const most = isRendered ? keptBytes : endBytes;
    const log = options.follow ? followLog(source.path, most) : undefined;
    const end = log?.end ?? readEnd(source.path, most);
    const shown = source.agent
      ? openTerminalLog({ ...source, agent: source.agent }, options)
      : openDaemonLog(source, options);
    const drawn = isRendered ? await drawLog(end, options.lines) : undefined;
    if (isRendered && !drawn) {
      writeError('signalbox: this log takes too long to draw; here is its text, undrawn');
    }
    shown.write(drawn?.end ?? lastLines(end.subarray(-endBytes), options.lines));
    if (!log) return shown.end();
    for await (const piece of log.more) {
      const news = drawn ? await drawn.follow(piece) : piece;
      if (news.length > 0) shown.write(news);
    }
  });
}

interface ShownLog {
  write(bytes: Buffer): void;
  /** Nothing follows. */
  end(): void;
}

/**
 * What an agent's terminal printed: bytes as they come, or text of which nothing is shown by
 * halves.
 */
function openTerminalLog(source: Required<LogSource>, options: LogOptions): ShownLog {
  const { agent, path } = source;
  if (options.json) {
    const reader = options.raw ? new StringDecoder('utf8') : new PlainReader();
    const tell = (text: string): void => writeJson<TerminalLogDocument>({ agent, path, text });
    const read = (bytes: Buffer): string =>
      reader instanceof PlainReader ? reader.read(bytes) : reader.write(bytes);
    if (!options.follow) {
      let all = '';
      return {
        write: (bytes) => {
          all += read(bytes);
        },
        end: () => tell(all + reader.end()),
      };
    }
    return { write: (bytes) => tell(read(bytes)), end: () => undefined };
  }
  if (options.raw) return { write: (bytes) => writeRaw(bytes), end: () => undefined };
  const reader = new WordReader(`log of ${inLine(callName(agent))}`);
  return {
    write: (bytes) => writeOut(reader.read(bytes)),
    end: () => writeOut(reader.end()),
  };
}

/** Lines of the daemon's log are shown whole. */
function openDaemonLog({ path }: LogSource, options: LogOptions): ShownLog {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  const show = (text: string): void => {
    const lines = text.split('\n').filter((line) => line !== '');
    const documents = lines.map((line) => parseJson(line) ?? { text: line });
    if (!options.json) writeOut(lines.map((line) => `${formatLogLine(line)}\n`).join(''));
    else if (!options.follow) writeJson<DaemonLogDocument>({ path, lines: documents });
    else for (const document of documents) writeDocument(JSON.stringify(document));
  };
  return {
    write: (bytes) => {
      const text = rest + decoder.write(bytes);
      const cut = options.follow ? text.lastIndexOf('\n') + 1 : 0;
      rest = text.slice(cut);
      if (cut > 0) show(text.slice(0, cut));
    },
    end: () => show(rest),
  };
}

/** A newline is one byte, whatever stands around it. */
function lastLines(bytes: Buffer, count: number): Buffer {
  let at = bytes.length;
  for (let found = 0; found <= count && at > 0; found++) at = bytes.lastIndexOf(10, at - 1);
  return at <= 0 ? bytes : bytes.subarray(at + 1);
}
