import type { Pane } from '../model/panes.ts';
import type { Session } from '../model/session.ts';
import { ApiError } from '../wire/api-error.ts';
import type { Json } from '../wire/json.ts';
import { numberOf } from '../wire/request-shapes.ts';

const defaultLines = 80;
const mostLines = 1000;

/**
 * What a pane shows. Trailing blank rows are left out: that is a guess, herdr's own trimming has not been measured. The
 * revision of a read is always 0 (herdr 0.8.0), so it tells nobody whether something changed.
 */
export async function readPane(session: Session, pane: Pane, params: Json): Promise<Json> {
  const source = String(params['source']);
  const format = params['format'] === 'ansi' || params['strip_ansi'] === false ? 'ansi' : 'text';
  const hasHistory = source === 'recent' || source === 'recent_unwrapped';
  const screen = await session.parts.terminals
    .capture(pane.terminal, {
      isAnsi: format === 'ansi',
      isJoined: source === 'recent_unwrapped',
      hasHistory,
    })
    .catch(() => {
      throw new ApiError('pane_not_found', `pane ${session.ids.pane(pane)} not found`);
    });
  const all = dropBlankEnd(screen.lines);
  const wanted = numberOf(params, 'lines') ?? (hasHistory ? defaultLines : mostLines);
  const lines = all.slice(-Math.min(Math.max(1, wanted), mostLines));
  return {
    pane_id: session.ids.pane(pane),
    workspace_id: pane.workspace.id,
    tab_id: session.ids.tab(pane.tab),
    source,
    format,
    text: lines.join('\n'),
    revision: 0,
    truncated: lines.length < all.length,
  };
}

function dropBlankEnd(lines: readonly string[]): readonly string[] {
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
