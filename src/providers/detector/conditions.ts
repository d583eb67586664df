import { longestRow } from '../../shared/pattern.ts';
import type { Screen } from '../provider.ts';
import type {
  Condition,
  CursorCondition,
  Drawing,
  Place,
  Region,
  RowCondition,
  StyleCondition,
} from './rules.ts';
import { readStyles, type StyledRow } from './styled-rows.ts';

/**
 * Whether a condition holds on a screen: true, false, or undefined when it cannot be told because
 * the cursor or the styles are not known. A rule fires only on what is known: doubt in `when` and
 * in `unless` both prevent it.
 */
export function holds(condition: Condition, sight: Sight): boolean | undefined {
  switch (condition.kind) {
    case 'title':
      return condition.title.test(sight.title);
    case 'region':
      return sight.region(condition.region) !== undefined;
    case 'cursor-unknown':
      return sight.cursor === undefined;
    case 'rows':
      return matchRows(condition, sight);
  }
}

/** A screen with what several conditions ask of it, each computed once. */
export interface Sight {
  readonly rows: readonly string[];
  readonly title: string;
  readonly cursor: Screen['cursor'];
  region(name: string): Span | undefined;
  styles(): readonly StyledRow[] | undefined;
}

/** Rows from `start` up to, and without, `end`. */
interface Span {
  readonly start: number;
  readonly end: number;
}

export function createSight(screen: Screen, regions: ReadonlyMap<string, Region>): Sight {
  const rows = screen.lines.map((line) => line.slice(0, longestRow).trimEnd());
  const found = new Map<string, Span | undefined>();
  let styles: readonly StyledRow[] | undefined;
  return {
    rows,
    title: (screen.title ?? '').slice(0, longestRow),
    cursor: screen.cursor,
    region: (name) => {
      const region = regions.get(name);
      if (!found.has(name)) found.set(name, region && findRegion(rows, region));
      return found.get(name);
    },
    styles: () => {
      styles ??= screen.styledLines && readStyles(screen.styledLines);
      return styles;
    },
  };
}

function findRegion(rows: readonly string[], region: Region): Span | undefined {
  const all = { start: 0, end: rows.length };
  const bottom = region.bottom === undefined ? all : lastFilled(rows, all, region.bottom);
  if (!region.to) {
    const start = findLast(rows, bottom, region.from);
    return start === undefined ? undefined : { start, end: rows.length };
  }
  const last = findLast(rows, bottom, region.to);
  const first = last === undefined ? last : findLast(rows, { start: 0, end: last }, region.from);
  return last === undefined || first === undefined ? undefined : { start: first, end: last + 1 };
}

function matchRows(condition: RowCondition, sight: Sight): boolean | undefined {
  const span = findPlace(condition.place, sight);
  if (!span) return false;
  let answer: boolean | undefined = false;
  for (let start = span.start; start + condition.rows.length <= span.end; start++) {
    const isText = condition.rows.every((row, i) => row.test(sight.rows[start + i] ?? ''));
    if (!isText) continue;
    const details = [
      condition.cursor ? matchCursor(condition.cursor, start, sight) : true,
      condition.style ? matchStyle(condition.style, start, condition.rows.length, sight) : true,
    ];
    if (details.every((detail) => detail === true)) return true;
    if (!details.includes(false)) answer = undefined;
  }
  return answer;
}

function findPlace(place: Place, sight: Sight): Span | undefined {
  const { rows } = sight;
  let span: Span = { start: 0, end: rows.length };
  if (place.region !== undefined) {
    const region = sight.region(place.region);
    if (!region) return undefined;
    if (place.relation === 'above') span = { start: 0, end: region.start };
    else if (place.relation === 'below') span = { start: region.end, end: rows.length };
    else span = region;
  }
  if (place.after) {
    const last = findLast(rows, span, place.after);
    if (last === undefined) return undefined;
    span = { start: last + 1, end: span.end };
  }
  return place.bottom === undefined ? span : lastFilled(rows, span, place.bottom);
}

/** The end of a span that holds so many rows with something in them, and the blank ones between. */
function lastFilled(rows: readonly string[], span: Span, count: number): Span {
  let left = count;
  let start = span.end;
  while (start > span.start && left > 0) {
    start--;
    if (rows[start] !== '') left--;
  }
  return { start, end: span.end };
}

function findLast(rows: readonly string[], span: Span, pattern: RegExp): number | undefined {
  for (let i = span.end - 1; i >= span.start; i--) {
    if (pattern.test(rows[i] ?? '')) return i;
  }
  return undefined;
}

function matchCursor(wanted: CursorCondition, start: number, sight: Sight): boolean | undefined {
  const { cursor } = sight;
  if (!cursor) return undefined;
  const y = start + wanted.row - 1;
  if (cursor.y !== y) return false;
  if (wanted.column !== undefined && cursor.x !== wanted.column) return false;
  if (!wanted.on) return true;
  const row = sight.rows[y] ?? '';
  const at = row.search(wanted.on);
  // In cells, where what stands before it is made of narrow characters: frames and prompts are.
  return at >= 0 && [...row.slice(0, at)].length === cursor.x;
}

function matchStyle(
  wanted: StyleCondition,
  start: number,
  height: number,
  sight: Sight,
): boolean | undefined {
  const styles = sight.styles();
  if (!styles) return undefined;
  for (let y = start; y < start + height; y++) {
    const row = sight.rows[y] ?? '';
    const match = wanted.text.exec(row);
    const styled = styles[y];
    if (!match) continue;
    // Both were captured at once; when they still differ, nothing can be said about either.
    if (!styled?.text.startsWith(row)) return undefined;
    const letters = [...match[0].matchAll(/\S/gu)].map(({ index }) => match.index + index);
    return letters.length > 0 && isDrawn(styled, wanted.is, letters);
  }
  return false;
}

function isDrawn(row: StyledRow, as: Drawing, letters: readonly number[]): boolean {
  if (as !== 'one-colour') return letters.every((at) => row.has(as, at));
  const colours = new Set(letters.map((at) => row.colour(at)));
  return colours.size === 1 && !colours.has(undefined);
}
