import { stripSequences } from '../../shared/strip-sequences.ts';
import type { Look, LookOptions, PlainText } from '../backend.ts';
import { lastBytes } from '../last-bytes.ts';
import type { Terminal } from '../terminal.ts';
import { maxLines } from './capabilities.ts';
import { describeEnd, findNote, isRunning } from './identity.ts';
import type { HerdrParts } from './parts.ts';
import { HerdrError, isObject } from './request.ts';
import { type Json, type PaneRecord, readPane, textOf } from './wire.ts';

/**
 * The screen as it is. The cursor is not told, and neither is whether a person scrolls or types.
 */
export async function lookAt(
  parts: HerdrParts,
  terminal: Terminal,
  { styled = false }: LookOptions = {},
): Promise<Look | 'gone'> {
  const note = findNote(parts, terminal);
  if (!note) return 'gone';
  const seen = await readGuarded(parts, terminal.pane, async (pane) => {
    const format = styled ? 'ansi' : 'text';
    return [await read(parts, { pane_id: pane, source: 'visible', format })];
  });
  if (seen === 'gone') return 'gone';
  const shown = toLines(seen.reads[0]);
  const lines = styled ? shown.map((line) => stripSequences(line).trimEnd()) : shown;
  return {
    lines,
    ...(styled ? { styledLines: shown } : {}),
    title: seen.record.title,
    columns: Math.max(0, ...lines.map((line) => line.length)),
    rows: lines.length,
    isAlive: isRunning(note),
    ...describeEnd(note),
  };
}

/**
 * Scrollback and screen. Asked for with its escape sequences, which are taken out here: for plain
 * text herdr (0.8.0) turns the wheel of an idle agent that has the mouse, to read what it has
 * scrolled away. Up to 0.8.x what is still on the screen may be missing from the scrollback, so the
 * screen is read too.
 */
export async function readPlainText(
  parts: HerdrParts,
  terminal: Terminal,
  maxBytes: number,
): Promise<PlainText | 'gone'> {
  if (!findNote(parts, terminal)) return 'gone';
  const seen = await readGuarded(parts, terminal.pane, async (pane) => {
    const recent = { pane_id: pane, source: 'recent_unwrapped', lines: maxLines, format: 'ansi' };
    const visible = { pane_id: pane, source: 'visible', format: 'ansi' };
    return [await read(parts, recent), await read(parts, visible)];
  });
  if (seen === 'gone') return 'gone';
  const [recent = {}, visible = {}] = seen.reads;
  const whole = joinScreen(plain(recent), plain(visible));
  const isCut = recent['truncated'] === true || toLines(recent).length >= maxLines;
  const cut = lastBytes(whole, maxBytes);
  return { text: cut, isPartial: isCut || cut !== whole };
}

/**
 * A pane's id is an address that may have become another's: what was read counts if it is still
 * that terminal's.
 */
async function readGuarded(
  { link }: HerdrParts,
  terminal: string,
  readAll: (pane: string) => Promise<readonly Json[]>,
): Promise<{ reads: readonly Json[]; record: PaneRecord } | 'gone'> {
  for (let tries = 0; tries < 3; tries++) {
    // The first time where it was last seen; afterwards what is remembered has just proved stale
    // (B8).
    const found =
      (tries === 0 && link.latest.panes.get(terminal)) || (await link.look()).panes.get(terminal);
    if (!found) return 'gone';
    try {
      // Where numbers change hands it could have been another's until now, and ours again behind
      // the reads.
      if (link.server().isOld && (await getPane({ link }, found.pane)).terminal !== terminal)
        continue;
      const reads = await readAll(found.pane);
      const record = await getPane({ link }, found.pane);
      if (record.terminal === terminal) return { reads, record };
    } catch (error) {
      if (!(error instanceof HerdrError) || error.kind !== 'refused') throw error;
    }
  }
  return 'gone';
}

export async function getPane({ link }: Pick<HerdrParts, 'link'>, id: string): Promise<PaneRecord> {
  const { pane } = await link.ask('pane.get', { pane_id: id });
  return readPane(isObject(pane) ? pane : {});
}

async function read({ link }: HerdrParts, params: Json): Promise<Json> {
  const { read: result } = await link.ask('pane.read', params);
  return isObject(result) ? result : {};
}

function toLines(result: Json | undefined): readonly string[] {
  const lines = textOf(result ?? {}, 'text').split('\n');
  return lines.map((line) => line.replace(/\r$/, '').trimEnd());
}

function plain(result: Json): string {
  return toLines(result)
    .map((line) => stripSequences(line).trimEnd())
    .join('\n')
    .trimEnd();
}

/** Wrapped rows of the screen are whole lines in the scrollback: compared without blanks. */
export function joinScreen(recent: string, visible: string): string {
  if (squeeze(recent).endsWith(squeeze(visible))) return recent;
  return recent === '' ? visible : `${recent}\n${visible}`;
}

function squeeze(words: string): string {
  return words.replaceAll(/\s+/g, '');
}
