import type { ValueReader } from '../../shared/value-reader.ts';
import {
  type Condition,
  type CursorCondition,
  drawings,
  type Place,
  type Region,
  type StyleCondition,
} from './rules.ts';

/** One entry of `when` or `unless`. */
export function parseCondition(value: unknown, place: string, reader: ValueReader): Condition {
  const fields = reader.map(value, place, conditionKeys);
  if (fields['cursor'] === 'unknown') {
    if (Object.keys(fields).length > 1) reader.refuse(place, 'cursor: unknown stands alone');
    return { kind: 'cursor-unknown' };
  }
  const kinds = ['row', 'rows', 'title', 'region'].filter((key) => fields[key] !== undefined);
  if (kinds.length !== 1) reader.refuse(place, 'one of row, rows, title or region is needed');
  const isAlone = Object.keys(fields).length === 1;
  if (kinds[0] === 'title' || kinds[0] === 'region') {
    if (!isAlone) reader.refuse(place, `${kinds[0]} stands alone`);
    return kinds[0] === 'title'
      ? { kind: 'title', title: reader.pattern(fields['title'], `${place}.title`) }
      : { kind: 'region', region: reader.text(fields['region'], `${place}.region`) };
  }
  const rows =
    fields['row'] === undefined
      ? reader
          .list(fields['rows'], `${place}.rows`, mostRows)
          .map((row, i) => readRow(row, `${place}.rows[${i}]`, reader))
      : [reader.pattern(fields['row'], `${place}.row`)];
  if (rows.length === 0) reader.refuse(`${place}.rows`, 'at least one pattern is needed');
  const { cursor, style } = fields;
  return {
    kind: 'rows',
    rows,
    place: readPlace(fields, place, reader),
    ...(cursor === undefined ? {} : { cursor: readCursor(cursor, rows.length, place, reader) }),
    ...(style === undefined ? {} : { style: readStyle(style, `${place}.style`, reader) }),
  };
}

export function parsePlaceRegion(value: unknown, place: string, reader: ValueReader): Region {
  const { from, to, bottom } = reader.map(value, place, ['from', 'to', 'bottom']);
  return {
    from: reader.pattern(from, `${place}.from`),
    ...(to === undefined ? {} : { to: reader.pattern(to, `${place}.to`) }),
    ...(bottom === undefined ? {} : { bottom: readBottom(bottom, place, reader) }),
  };
}

const relations = ['in', 'above', 'below'] as const;
const conditionKeys = [
  'row',
  'rows',
  'title',
  'region',
  'bottom',
  'after',
  'cursor',
  'style',
  ...relations,
];
const mostRows = 12;

/** `''` stands for a blank row; every other pattern is one. */
function readRow(value: unknown, place: string, reader: ValueReader): RegExp {
  return value === '' ? /^$/u : reader.pattern(value, place);
}

function readPlace(
  fields: Readonly<Record<string, unknown>>,
  place: string,
  reader: ValueReader,
): Place {
  const { bottom, after } = fields;
  const used = relations.filter((relation) => fields[relation] !== undefined);
  if (used.length > 1) reader.refuse(place, `only one of ${used.join(', ')} can be asked`);
  const [relation] = used;
  return {
    ...(relation
      ? { relation, region: reader.text(fields[relation], `${place}.${relation}`) }
      : {}),
    ...(bottom === undefined ? {} : { bottom: readBottom(bottom, place, reader) }),
    ...(after === undefined ? {} : { after: reader.pattern(after, `${place}.after`) }),
  };
}

function readBottom(value: unknown, place: string, reader: ValueReader): number {
  return reader.count(value, `${place}.bottom`, [1, 500]);
}

function readCursor(
  value: unknown,
  rows: number,
  place: string,
  reader: ValueReader,
): CursorCondition {
  const at = `${place}.cursor`;
  const { row = 1, column, on } = reader.map(value, at, ['row', 'column', 'on']);
  return {
    row: reader.count(row, `${at}.row`, [1, rows]),
    ...(column === undefined ? {} : { column: reader.count(column, `${at}.column`, [0, 1000]) }),
    ...(on === undefined ? {} : { on: reader.pattern(on, `${at}.on`) }),
  };
}

function readStyle(value: unknown, place: string, reader: ValueReader): StyleCondition {
  const { text, is } = reader.map(value, place, ['text', 'is']);
  return {
    text: reader.pattern(text, `${place}.text`),
    is: reader.choice(is, `${place}.is`, drawings),
  };
}
