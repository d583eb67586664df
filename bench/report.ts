import type { Machine } from './machine.ts';
import { type Bar, judge, type Part, type Quantity, type Row } from './suite.ts';

export interface Report {
  readonly suite: string;
  readonly quick: boolean;
  readonly machine: Machine;
  readonly parts: readonly Part[];
}

const heads = ['what', 'measured', 'against', 'ratio', 'bar', 'verdict'] as const;

/** For people: one aligned table. */
export function formatTable(report: Report): string {
  const lines = listRows(report).map(toCells);
  const widths = heads.map((head, i) =>
    Math.max(head.length, ...lines.map((cells) => cells[i]?.length ?? 0)),
  );
  const align = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => {
        const width = widths[i] ?? 0;
        return isNumber(i) ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  const failures = listFailures(report).map((failure) => `not measured: ${failure}`);
  return `${[describe(report), '', align(heads), rule, ...lines.map(align), ...failures].join('\n')}\n`;
}

/** For docs/results: the same table, and how each part was measured. */
export function formatMarkdown(report: Report): string {
  const { suite, machine, parts } = report;
  const toLine = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return `${[
    `# Bench: ${suite}, ${machine.at.slice(0, 10)}`,
    '',
    `${describe(report)}. Made by \`npm run bench -- ${suite}\`. The machine is shared: trust ratios, measured`,
    'interleaved in one run on one disk, more than absolutes.',
    '',
    toLine(heads),
    toLine(heads.map((_, i) => (isNumber(i) ? '---:' : '---'))),
    ...listRows(report).map((row) => toLine(toCells(row))),
    '',
    '## How it was measured',
    '',
    ...parts.map(({ title, how }) => `- **${title}.** ${how}`),
    ...listFailures(report).map((failure) => `- **Not measured.** ${failure}`),
  ].join('\n')}\n`;
}

/** For programs. */
export function toDocument(report: Report): unknown {
  const { parts, ...rest } = report;
  return {
    ...rest,
    parts: parts.map((part) => ({
      ...part,
      rows: part.rows.map((row) => ({ ...row, ...judge(row) })),
    })),
  };
}

function describe({ quick, machine }: Report): string {
  const { at, node, sqlite, cores, fileSystem } = machine;
  const parts = [at, `Node ${node}`, `SQLite ${sqlite}`, `${cores} cores`, fileSystem];
  return [...parts, ...(quick ? ['quick run'] : [])].join(' · ');
}

function listRows({ parts }: Report): readonly Row[] {
  return parts.flatMap((part) => part.rows);
}

export function listFailures({ parts }: Pick<Report, 'parts'>): readonly string[] {
  return parts.flatMap(({ failures = [] }) => failures);
}

function toCells(row: Row): readonly string[] {
  const { ratio, met } = judge(row);
  const { what, measured, against, bar } = row;
  return [
    what,
    formatQuantity(measured),
    against ? `${against.what}: ${formatQuantity(against.quantity)}` : '',
    ratio === undefined ? '' : round(ratio),
    bar ? formatBar(bar, measured.unit) : '',
    met === undefined ? '' : met ? 'met' : 'MISSED',
  ];
}

function formatBar(bar: Bar, unit: string): string {
  if ('itselfAtMost' in bar) return `itself ≤ ${bar.itselfAtMost} ${unit}`.trimEnd();
  if ('atMostMore' in bar) return `≤ + ${bar.atMostMore} ${unit}`.trimEnd();
  return 'atLeast' in bar ? `≥ ${bar.atLeast}` : `≤ ${bar.atMost}`;
}

function formatQuantity({ value, unit }: Quantity): string {
  return unit === '' ? round(value) : `${round(value)} ${unit}`;
}

/** Three digits that count, and no more precision than a shared machine has. */
function round(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 100) return formatCount(value);
  return value.toPrecision(3);
}

/** Whole, with its digits in groups of three. */
export function formatCount(value: number): string {
  return Math.round(value).toLocaleString('en-US').replaceAll(',', ' ');
}

function isNumber(column: number): boolean {
  return column === 1 || column === 3 || column === 4;
}
