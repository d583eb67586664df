import { isUtf8 } from 'node:buffer';
import type { Terminal } from '../terminal.ts';
import type { WriteOptions, Written } from '../writing.ts';
import { findNote, isRunning } from './identity.ts';
import type { HerdrParts } from './parts.ts';
import { HerdrError } from './request.ts';
import { getPane } from './screen.ts';

/**
 * Text into the program's input as it is. The address is asked whose it is in the moment before;
 * herdr from 0.7.0 on gives a pane's id to no other as long as its server lives. Before that, ids
 * are numbered anew at every close: there nothing is typed.
 */
export async function writeText(
  parts: HerdrParts,
  terminal: Terminal,
  bytes: Buffer,
  { withEnter = false, guard }: WriteOptions = {},
): Promise<Written> {
  const note = findNote(parts, terminal);
  if (!note || !isRunning(note)) return 'gone';
  // It can ask for nothing in the same request, so it types nothing under a condition.
  if (parts.link.server().isOld || !isUtf8(bytes) || withEnter || guard) return 'refused';
  try {
    const known = parts.link.latest.panes.get(terminal.pane);
    const found = known ?? (await parts.link.look()).panes.get(terminal.pane);
    if (!found) return 'gone';
    if ((await getPane(parts, found.pane)).terminal !== terminal.pane) return 'gone';
    const words = bytes.toString('utf8');
    return await send(parts, found.pane, words);
  } catch (error) {
    // Only questions were asked so far.
    if (error instanceof HerdrError) return error.kind === 'refused' ? 'gone' : 'unsent';
    throw error;
  }
}

async function send({ link }: HerdrParts, pane: string, words: string): Promise<Written> {
  try {
    await link.ask('pane.send_text', { pane_id: pane, text: words });
    return 'written';
  } catch (error) {
    if (!(error instanceof HerdrError)) throw error;
    if (error.code === 'too_long') return 'refused';
    return error.kind === 'refused' ? 'gone' : error.kind;
  }
}
