import type { Terminal } from '../terminal.ts';
import type { GuardBreach, WriteGuard, WriteOptions, Written } from '../writing.ts';
import type { Command, CommandList } from './command.ts';
import type { Connection } from './connection.ts';
import { guardFormats, readBreach } from './guard.ts';
import { allOf, equal, identityFormat, marks } from './identity.ts';
import { mayType, obstacleFormat, readObstacle } from './may-type.ts';
import { pressEnter, sendKeys } from './send-keys.ts';

/** Bytes of one guarded step: tmux serves nobody else while it takes them. */
export const stepBytes = 32 * 1024;

/**
 * Bytes into a program's input, exactly as they are. tmux answers "ok" also where it throws them
 * away or gives them to others, so that is asked in the same step.
 */
export async function writeBytes(
  connection: Connection,
  ledgerId: string,
  terminal: Terminal,
  bytes: Buffer,
  { withEnter = false, guard, personAt }: WriteOptions = {},
): Promise<Written> {
  if (connection.server().id !== terminal.server) return 'gone';
  if (withEnter) {
    // More than one step is more than one command: a person could come in between.
    if (bytes.length > stepBytes) return 'refused';
    const { pane } = terminal;
    const sends = [...sendKeys(pane, bytes), ...pressEnter(pane)];
    return sendGuarded(connection, ledgerId, terminal, sends, guard);
  }
  for (let start = 0; start < bytes.length; start += stepBytes) {
    const step = bytes.subarray(start, start + stepBytes);
    const sends = [...sendKeys(terminal.pane, step), ...noteKey(terminal.pane, personAt)];
    // After the first step the screen shows a part of it.
    const asked = start === 0 ? guard : stampOnly(guard);
    const written = await sendGuarded(connection, ledgerId, terminal, sends, asked);
    // What was written before cannot be taken back: the caller must not believe that nothing was.
    if (written !== 'written') return start === 0 ? written : 'unknown';
  }
  return 'written';
}

/** In the same command: whoever dies in between has not pressed it, or it is noted. */
function noteKey(pane: string, personAt: number | undefined): readonly Command[] {
  if (personAt === undefined) return [];
  return [['set-option', '-p', '-t', pane, marks.pressed, String(Math.floor(personAt / 1000))]];
}

/** What still holds of a guard once a part of the text stands there. */
function stampOnly({ untypedSince }: WriteGuard = {}): WriteGuard {
  return untypedSince === undefined ? {} : { untypedSince };
}

/**
 * Commands that type, where it is that terminal, its program reads, nobody else would get them, and
 * the guard holds: tmux asks and types in one step (rule 45). Of a buffer that is not there nothing
 * was typed.
 */
export async function sendGuarded(
  connection: Connection,
  ledgerId: string,
  terminal: Terminal,
  sends: readonly Command[],
  guard?: WriteGuard,
): Promise<Written> {
  const { pane } = terminal;
  const identity = identityFormat(ledgerId, terminal);
  const may = mayType(pane, identity);
  const { untyped, uncovered } = guardFormats(pane, guard);
  const isAlive = allOf(identity, equal('#{pane_dead}', '0'));
  const refusal: Command = [
    'display-message',
    '-p',
    '-t',
    pane,
    `#{?${isAlive},${obstacleFormat},gone}`,
  ];
  const answer = await connection.tryAsk([
    ask(
      pane,
      allOf(may, ...untyped, ...uncovered),
      [...sends, ['display-message', '-p', 'written']],
      // Which of them did not hold: here nothing is typed.
      untyped.length + uncovered.length === 0
        ? [refusal]
        : [
            ask(
              pane,
              may,
              [ask(pane, allOf('1', ...untyped), say('covered'), say('typed'))],
              [refusal],
            ),
          ],
    ),
  ]);
  if (answer.outcome === 'unsent') return 'unsent';
  if (answer.outcome === 'unknown') return 'unknown';
  const last = answer.blocks.at(-1);
  const said = last?.text;
  if (last?.isError && said?.startsWith('no buffer')) return 'unsent';
  return said === 'written' ? said : (readBreach(said) ?? readObstacle(said) ?? 'gone');
}

function ask(pane: string, condition: string, then: CommandList, otherwise: CommandList): Command {
  return ['if-shell', '-F', '-t', pane, condition, then, otherwise];
}

function say(breach: GuardBreach): CommandList {
  return [['display-message', '-p', breach]];
}
