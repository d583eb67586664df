import type { CliName } from '../versions.ts';

/** What one key did in one state of one CLI; empty: nothing. */
export interface Row {
  readonly cli: CliName;
  readonly version: string;
  readonly state: string;
  readonly key: string;
  readonly effect: string;
}

/** One line for each CLI and state, one column for each key; then what the keys did. */
export function renderTable(keys: readonly string[], rows: readonly Row[]): string {
  const places = new Map<string, Row[]>();
  for (const row of rows) {
    const place = `${row.cli} ${row.version} | ${row.state}`;
    places.set(place, [...(places.get(place) ?? []), row]);
  }
  const head = ['', 'CLI', 'state', ...keys.map(code), ''].join(' | ').trim();
  const rule = `|${' --- |'.repeat(keys.length + 2)}`;
  const lines = [...places].map(([place, found]) => {
    const cells = keys.map((key) => {
      const row = found.find((one) => one.key === key);
      return row === undefined ? 'not tried' : row.effect === '' ? '–' : '**acts**';
    });
    return `| ${place} | ${cells.join(' | ')} |`;
  });
  const effects = rows
    .filter(({ effect }) => effect !== '')
    .map(({ cli, state, key, effect }) => `- ${cli}, ${state}, ${code(key)}: ${effect}`);
  return [head, rule, ...lines, '', ...effects].join('\n');
}

function code(key: string): string {
  return `\`${key}\``;
}
