import { Fault } from '../../shared/fault.ts';
import type { WantedTerminal } from '../terminal.ts';
import type { Command, CommandList } from './command.ts';
import type { Connection } from './connection.ts';
import { allOf, equal, guarded, marks, serverFormat } from './identity.ts';
import type { WatchOrder } from './link.ts';
import { environmentWords, passedNames, programWords } from './program.ts';
import { chooseSessionName, plainName } from './session-name.ts';

export interface Program {
  readonly wanted: Pick<WantedTerminal, 'name' | 'called' | 'env' | 'cwd' | 'umask'> &
    Partial<Pick<WantedTerminal, 'columns' | 'rows'>>;
  /** The session to open a window in; undefined for a new one. */
  readonly session: string | undefined;
  readonly windowName: string;
  readonly argv: readonly string[];
  /** Who the pane is, as user options. */
  readonly options: Readonly<Record<string, string>>;
  readonly watch?: WatchOrder;
}

export interface Started {
  readonly pane: string;
  readonly pid: number;
  readonly window: string;
  readonly session: string;
  /** The server that has really started it. */
  readonly server: string;
}

/**
 * One list of commands makes the pane, marks it as ours and links it into the hub: tmux runs it as
 * one, so that there is never a pane of ours without its marks, and the reader sees its first byte.
 */
export async function startProgram(
  connection: Connection,
  ledgerId: string,
  program: Program,
): Promise<Started> {
  let refusal = '';
  for (let tries = 0; tries < 3; tries++) {
    // Someone may take the name between the question and the start: then tmux refuses and we choose
    // again.
    const name = await chooseSessionName(connection, program.wanted.name);
    const list = startList(connection, ledgerId, program, name);
    const blocks = await connection.ask(list, program.watch ? { watch: program.watch } : {});
    const started = parseStarted(blocks.find(({ text }) => text.startsWith('p%'))?.text);
    const error = blocks.find(({ isError }) => isError);
    if (started && !error) return started;
    refusal = error?.text ?? 'it said nothing';
    if (started) await discard(connection, started);
  }
  throw new Fault(
    'launch-failed',
    `tmux could not open a terminal for "${program.wanted.called}": ${refusal}.`,
    'See `signalbox doctor`.',
  );
}

/** Takes back what was started a moment ago. */
export async function discard(connection: Connection, started: Started): Promise<void> {
  const isIt = allOf(
    equal('#{pane_id}', started.pane),
    equal(serverFormat, started.server),
    `#{||:#{pane_dead},${equal('#{pane_pid}', String(started.pid))}}`,
  );
  await connection.ask(guarded(started.pane, isIt, [['kill-pane', '-t', started.pane]]));
}

function startList(
  connection: Connection,
  ledgerId: string,
  program: Program,
  name: string,
): CommandList {
  const { wanted, session } = program;
  const server = connection.server();
  const isNew = session === undefined;
  // A new window goes behind the last one, and is then the last one itself.
  const target = isNew ? `=${name}:` : `${session}:{end}`;
  const size =
    wanted.columns === undefined ? [] : ['-x', String(wanted.columns), '-y', String(wanted.rows)];
  const start: Command = [
    isNew ? 'new-session' : 'new-window',
    '-d',
    ...(isNew ? ['-E', '-s', name, ...size] : ['-a', '-t', target]),
    ...['-P', '-F', `p#{pane_id}|#{pane_pid}|#{window_id}|#{session_id}|${serverFormat}`],
    ...['-n', plainName(program.windowName), '-c', '#{@sbx-cwd}'],
    ...environmentWords(wanted.env),
    '--',
    ...programWords(program.argv, wanted.env, server.environment, wanted.umask),
  ];
  const options = Object.entries({ [marks.ledger]: ledgerId, ...program.options });
  const select: Command = ['select-window', '-t', target];
  return [
    // As an option's value: as an argument tmux would read it for formats, and run what stands in
    // `#(…)`.
    ['set-option', '-g', '@sbx-cwd', wanted.cwd],
    start,
    ...options.map(([key, value]): Command => ['set-option', '-p', '-t', target, key, value]),
    ['set-option', '-p', '-F', '-t', target, marks.pid, '#{pane_pid}'],
    ...(isNew ? passedNames(wanted.env) : []).map((key) => forget(target, key)),
    ['link-window', '-d', '-s', target, '-t', `${server.hub}:`],
    // Whoever looks at an agent goes on doing so when a helper is started beside it.
    ...(isNew || program.watch ? [select] : []),
  ];
}

/**
 * A new session keeps `-e` for windows that a person opens in it later: such a shell would pass for
 * the agent and hold its secrets. Only the program itself shall have them.
 */
function forget(target: string, name: string): Command {
  return ['set-environment', '-t', target, '-u', name];
}

function parseStarted(text: string | undefined): Started | undefined {
  const form = /^p(%\d+)\|(\d+)\|(@\d+)\|(\$\d+)\|(\d+:\d+)$/;
  const [, pane, pid, window, session, server] = form.exec(text ?? '') ?? [];
  if (!pane || !window || !session || !server) return undefined;
  return { pane, pid: Number(pid), window, session, server };
}
