import type { Terminal, Written } from '../backend.ts';
import type { Connection } from './connection.ts';
import { allOf, equal, identityFormat } from './identity.ts';
import { sendKeys } from './send-keys.ts';

/** Bytes of one guarded step: tmux serves nobody else while it takes them. */
const stepBytes = 32 * 1024;

/**
 * Bytes into a program's input, exactly as they are. tmux answers "ok" for a pane that is dead or in copy mode and throws
 * the bytes away, so both are asked in the same step.
 */
export async function writeBytes(
  connection: Connection,
  ledgerId: string,
  terminal: Terminal,
  bytes: Buffer,
): Promise<Written> {
  if (connection.server().id !== terminal.server) return 'gone';
  for (let start = 0; start < bytes.length; start += stepBytes) {
    const step = bytes.subarray(start, start + stepBytes);
    const written = await writeStep(connection, ledgerId, terminal, step);
    // What was written before cannot be taken back: the caller must not believe that nothing was.
    if (written !== 'written') return start === 0 ? written : 'unknown';
  }
  return 'written';
}

async function writeStep(
  connection: Connection,
  ledgerId: string,
  terminal: Terminal,
  bytes: Buffer,
): Promise<Written> {
  const { pane } = terminal;
  const isAlive = allOf(identityFormat(ledgerId, terminal), equal('#{pane_dead}', '0'));
  const sends = sendKeys(pane, bytes);
  const answer = await connection.tryAsk([
    [
      'if-shell',
      '-F',
      '-t',
      pane,
      allOf(isAlive, equal('#{pane_in_mode}', '0')),
      [...sends, ['display-message', '-p', 'written']],
      [['display-message', '-p', '-t', pane, `#{?${isAlive},copy-mode,gone}`]],
    ],
  ]);
  if (answer.outcome === 'unsent') return 'unsent';
  if (answer.outcome === 'unknown') return 'unknown';
  const said = answer.blocks.at(-1)?.text;
  return said === 'written' || said === 'copy-mode' ? said : 'gone';
}
