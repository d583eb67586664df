import type { Terminal } from '../terminal.ts';
import type { PreparedWrite, WriteOptions } from '../writing.ts';
import type { Command } from './command.ts';
import type { Connection } from './connection.ts';
import { isPlainPaste, preparedPrefix, pressEnter } from './send-keys.ts';
import { pastesRaw } from './version.ts';
import { sendGuarded, stepBytes } from './write.ts';

/** Each has a name of its own: nothing else can be pasted by it. */
let count = 0;

/**
 * The bytes as a buffer of tmux, which reads a command of a thousand characters for half a
 * millisecond (3.3a); what is left to be done then is one short command. A buffer that is never
 * pasted is deleted, after a death of ours by the next connection.
 */
export function prepareBytes(
  connection: Connection,
  ledgerId: string,
  terminal: Terminal,
  bytes: Buffer,
  { withEnter = false, guard: guardBefore }: WriteOptions = {},
): PreparedWrite | undefined {
  if (connection.state.state !== 'ready' || !pastesRaw(connection.server().version))
    return undefined;
  if (bytes.length > stepBytes || !isPlainPaste(bytes)) return undefined;
  const buffer = `${preparedPrefix}${process.pid}-${++count}`;
  // An answer that fails says nothing that the paste would not say.
  void connection.tryAsk([['set-buffer', '-b', buffer, '--', bytes.toString('utf8')]]);
  const paste: Command = ['paste-buffer', '-r', '-d', '-b', buffer, '-t', terminal.pane];
  // tmux leaves out the rest of a list whose command fails: without the buffer there is no Enter.
  const sends = withEnter ? [paste, ...pressEnter(terminal.pane)] : [paste];
  const drop = (): void => void connection.tryAsk([['delete-buffer', '-b', buffer]]);
  return {
    drop,
    write: async (guard) => {
      if (connection.server().id !== terminal.server) return 'gone';
      const written = await sendGuarded(
        connection,
        ledgerId,
        terminal,
        sends,
        guard ?? guardBefore,
      );
      if (written !== 'written') drop();
      return written;
    },
  };
}
