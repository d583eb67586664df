import type { Pane } from '../model/panes.ts';
import type { Session } from '../model/session.ts';
import { inPalette } from '../terminals/palette.ts';
import type { Screen } from '../terminals/terminals.ts';
import { ApiError } from '../wire/api-error.ts';
import type { Json } from '../wire/json.ts';
import { numberOf } from '../wire/request-shapes.ts';

const defaultLines = 80;
export const mostLines = 1000;

/**
 * What a pane shows, without touching it. `recent` counts rows from the very bottom of the screen,
 * and leaves blank ones out afterwards: five rows of a screen whose upper half alone is used are
 * nothing (herdr 0.8.0; mended in 0.9.0). The revision of a read is always 0, so it tells nobody
 * whether something changed. How the ansi format treats blank rows is a guess.
 */
export async function readPane(session: Session, pane: Pane, params: Json): Promise<Json> {
  const source = String(params['source']);
  const format = params['format'] === 'ansi' || params['strip_ansi'] === false ? 'ansi' : 'text';
  const hasHistory = isRecent(source);
  // What its own detection looks at is plain text in any format.
  const isAnsi = format === 'ansi' && source !== 'detection';
  const wanted = numberOf(params, 'lines');
  const most = Math.min(wanted ?? defaultLines, mostLines);
  const screen = await capture(session, pane, {
    isAnsi,
    isJoined: source === 'recent_unwrapped',
    ...(hasHistory ? { lastRows: most } : {}),
  });
  const isPalette = isAnsi && session.parts.profile.has('palette-colours');
  const all = dropBlankEnd(isPalette ? inPalette(screen.lines) : screen.lines);
  const lines = hasHistory || wanted === undefined ? all : most === 0 ? [] : all.slice(-most);
  const total = screen.history + screen.size.rows;
  return {
    pane_id: session.ids.pane(pane),
    workspace_id: pane.workspace.id,
    tab_id: session.ids.tab(pane.tab),
    source,
    format,
    text: isPalette ? lines.join('\r\n') : textOf(lines, !isAnsi && source !== 'recent_unwrapped'),
    revision: 0,
    truncated: hasHistory ? total > most : lines.length < all.length,
  };
}

export function isRecent(source: string): boolean {
  return source === 'recent' || source === 'recent_unwrapped';
}

export async function capture(
  session: Session,
  pane: Pane,
  wish: Parameters<Session['parts']['terminals']['capture']>[1],
): Promise<Screen> {
  return session.parts.terminals.capture(pane.terminal, wish).catch(() => {
    throw new ApiError('pane_not_found', `pane ${session.ids.pane(pane)} not found`);
  });
}

/** Rows end in a line feed, the last one as well. */
export function textOf(lines: readonly string[], isClosed: boolean): string {
  return lines.join('\n') + (isClosed && lines.length > 0 ? '\n' : '');
}

export function dropBlankEnd(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return lines.slice(0, last + 1).map((line) => line.trimEnd());
}

/** What the line is, where the match lies within one; `undefined` without a match. */
export function findMatch(text: string, match: Json): { line: string | null } | undefined {
  const value = String(match['value']);
  const pattern = match['type'] === 'regex' ? compile(value) : undefined;
  const isMatch = (part: string) => (pattern ? pattern.test(part) : part.includes(value));
  const line = text.split('\n').find(isMatch);
  return line === undefined && !isMatch(text) ? undefined : { line: line ?? null };
}

export function compile(pattern: string): RegExp {
  try {
    return new RegExp(pattern);
  } catch {
    throw new ApiError('invalid_regex', `invalid regex: ${pattern}`);
  }
}
