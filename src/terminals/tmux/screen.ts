import type { Look, LookOptions, PlainText } from '../backend.ts';
import { lastBytes } from '../last-bytes.ts';
import type { Terminal } from '../terminal.ts';
import type { Command, CommandList } from './command.ts';
import type { Connection } from './connection.ts';
import { lastKeyOf, lastPressOf, typingStampFormat } from './guard.ts';
import { gone, guarded, identityFormat, titleFormat } from './identity.ts';
import { endLeftMode, isLeftInMode } from './left-mode.ts';
import type { AnswerBlock } from './link.ts';
import { obstacleFormat, readObstacle } from './may-type.ts';
import { nameSignal, parseNumber } from './panes.ts';

/**
 * One list of commands, so that screen, cursor and title are of the same moment. A mode that was
 * left behind is ended, and the screen behind it is what is seen.
 */
export async function lookAt(
  connection: Connection,
  ledgerId: string,
  terminal: Terminal,
  options: LookOptions = {},
): Promise<Look | 'gone'> {
  const seen = await lookOnce(connection, ledgerId, terminal, options);
  if (seen === 'gone' || !isLeftInMode(seen)) return seen;
  await connection.ask(endLeftMode(ledgerId, terminal));
  return lookOnce(connection, ledgerId, terminal, options);
}

async function lookOnce(
  connection: Connection,
  ledgerId: string,
  terminal: Terminal,
  options: LookOptions,
): Promise<Look | 'gone'> {
  if (connection.server().id !== terminal.server) return 'gone';
  const found = await askList(connection, lookList(ledgerId, terminal, options.styled ?? false));
  const [said, clients, plain, styled] = found ?? [];
  if (!said || !plain) return 'gone';
  const flags = parseFlags(said.text);
  const people = listPeople(clients?.text ?? '', terminal.pane);
  const keyAt = latest(
    lastKeyAt(people) ?? lastKeyOf(flags.typingStamp),
    lastPressOf(flags.typingStamp),
  );
  return {
    ...flags,
    lines: plain.text.split('\n'),
    ...(styled ? { styledLines: styled.text.split('\n') } : {}),
    watchers: people.length,
    ...(keyAt === undefined ? {} : { humanKeyAt: keyAt }),
  };
}

/** The same for as long as the terminal is: it is asked more often than anything else. */
function lookList(ledgerId: string, terminal: Terminal, isStyled: boolean): CommandList {
  const kept = isStyled ? styledLooks : plainLooks;
  const known = kept.get(terminal);
  if (known?.ledgerId === ledgerId) return known.list;
  const { pane } = terminal;
  const captures: Command[] = [['capture-pane', '-p', '-t', pane]];
  if (isStyled) captures.push(['capture-pane', '-e', '-p', '-t', pane]);
  const list = guarded(pane, identityFormat(ledgerId, terminal), [
    ['display-message', '-p', '-t', pane, lookFormat(pane)],
    ['list-clients', '-F', 'c|#{client_control_mode}|#{client_activity}|#{pane_id}'],
    ...captures,
  ]);
  kept.set(terminal, { ledgerId, list });
  return list;
}

interface KeptLook {
  readonly ledgerId: string;
  readonly list: CommandList;
}

const plainLooks = new WeakMap<Terminal, KeptLook>();
const styledLooks = new WeakMap<Terminal, KeptLook>();

/** Scrollback and screen as text, wrapped lines joined again. */
export async function readPlainText(
  connection: Connection,
  ledgerId: string,
  terminal: Terminal,
  maxBytes: number,
): Promise<PlainText | 'gone'> {
  const { pane } = terminal;
  const found = await askGuarded(connection, ledgerId, terminal, [
    ['display-message', '-p', '-t', pane, 'h|#{history_size}|#{history_limit}'],
    ['capture-pane', '-p', '-J', '-S', '-', '-t', pane],
  ]);
  const [history, captured] = found ?? [];
  if (!history || !captured) return 'gone';
  const [, size = 0, limit = 0] = history.text.split('|').map(Number);
  const text = captured.text.replace(/[ \t]+$/gm, '').trimEnd();
  const cut = lastBytes(text, maxBytes);
  // A full history loses its oldest tenth at once: from nine tenths on something may be missing.
  return { text: cut, isPartial: cut.length < text.length || (limit > 0 && size >= limit * 0.9) };
}

/** The blocks of the inner commands, or undefined when the terminal is not that one any more. */
async function askGuarded(
  connection: Connection,
  ledgerId: string,
  terminal: Terminal,
  list: CommandList,
): Promise<readonly AnswerBlock[] | undefined> {
  if (connection.server().id !== terminal.server) return undefined;
  const condition = identityFormat(ledgerId, terminal);
  return askList(connection, guarded(terminal.pane, condition, list));
}

async function askList(
  connection: Connection,
  list: CommandList,
): Promise<readonly AnswerBlock[] | undefined> {
  // The first block is the answer of `if-shell` itself.
  const [, ...blocks] = await connection.ask(list, { isRaw: true });
  if (blocks[0]?.text === gone || blocks.some(({ isError }) => isError)) return undefined;
  return blocks;
}

/** Begins with a letter: a line of an answer must not look like a notification. */
function lookFormat(pane: string): string {
  return [
    'l',
    '#{pane_dead}',
    '#{pane_dead_status}',
    '#{pane_dead_signal}',
    '#{cursor_x}',
    '#{cursor_y}',
    '#{pane_width}',
    '#{pane_height}',
    obstacleFormat,
    typingStampFormat(pane),
    titleFormat,
  ].join('|');
}

function parseFlags(text: string): Omit<Look, 'lines'> & { readonly typingStamp: string } {
  const [, dead, status = '', signal = '', x, y, width, height, said, typingStamp = '', ...title] =
    text.split('|');
  const exitCode = parseNumber(status);
  const exitSignal = nameSignal(signal);
  const obstacle = readObstacle(said);
  return {
    isAlive: dead !== '1',
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(exitSignal === undefined ? {} : { exitSignal }),
    cursor: { x: Number(x), y: Number(y) },
    columns: Number(width),
    rows: Number(height),
    ...(obstacle === undefined ? {} : { obstacle }),
    typingStamp,
    title: title.join('|'),
  };
}

/**
 * Only keys of a person move a client's activity (and attaching does); our own writing, output and
 * resizing do not.
 */
function lastKeyAt(people: readonly (readonly string[])[]): number | undefined {
  const times = people.map(([, , activity]) => Number(activity));
  return times.length === 0 ? undefined : Math.max(...times);
}

function latest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

/** The clients of people that show this pane, each as its fields. */
function listPeople(clients: string, pane: string): readonly (readonly string[])[] {
  return clients
    .split('\n')
    .map((line) => line.split('|'))
    .filter(([, isControl, , current]) => isControl === '0' && current === pane);
}
