import { scanSource } from '../../scripts/scan-source.mjs';
import { type Citation, readCitations } from './citations.ts';
import { isGuardLine } from './rule-book.ts';
import type { Source } from './rule-sources.ts';

/** For each number, the tests that name it. */
export type Guards = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * The tests that guard each rule: a name cites it in front (`rule 14: …`, `B4, rules 3, 5: …`) or
 * in brackets (`… (rule 14)`). A comment guards nothing. The lab, the storms and the torture name
 * their promises the same way, in files of their own.
 */
export function findGuards(sources: readonly Source[]): Guards {
  const guards = new Map<string, Set<string>>();
  for (const { path, text } of sources.filter(({ path }) => isTest(path) || isTrial(path))) {
    for (const { kind, start, end } of scanSource(text)) {
      if (kind === 'line' || kind === 'block') continue;
      for (const { id } of readName(text.slice(start + 1, end - 1))) {
        const whole = id.replace(/[a-f]$/, '');
        guards.set(whole, (guards.get(whole) ?? new Set()).add(path));
      }
    }
  }
  return guards;
}

export function isTest(path: string): boolean {
  return path.endsWith('.test.ts');
}

function isTrial(path: string): boolean {
  return /^test\/(?:lab|simulation|soak|torture)\/.*\.ts$/.test(path);
}

/** What the name of a test cites, and nothing that it merely speaks of. */
export function readName(name: string): readonly Citation[] {
  const places = [/^[^:]+(?=:)/.exec(name)?.[0] ?? '', ...name.matchAll(/\(([^()]+)\)/g)];
  return places.flatMap((place) => {
    const text = typeof place === 'string' ? place : (place[1] ?? '');
    const { found } = readCitations(text);
    const rest = found.reduceRight((left, { start, end }) => blank(left, start, end), text);
    return /^(?:rules?|and|,|\s)*$/.test(rest) ? found : [];
  });
}

function blank(text: string, start: number, end: number): string {
  return text.slice(0, start) + ' '.repeat(end - start) + text.slice(end);
}

/** The document with the lists of tests as they should be. */
export function writeGuards(markdown: string, guards: Guards): string {
  return markdown
    .split(/^(?=#{2,3} )/m)
    .map((section) => {
      const id = /^### (?:Rule )?([EDBO]?\d+)\n/.exec(section)?.[1];
      if (id === undefined) return section;
      const bare = section.split('\n').filter((line) => !isGuardLine(line));
      const text = bare.join('\n').trimEnd();
      return `${[text, ...describeGuards(guards.get(id))].join('\n\n')}\n\n`;
    })
    .join('')
    .trimEnd()
    .concat('\n');
}

function describeGuards(paths: ReadonlySet<string> = new Set()): readonly string[] {
  const link = (path: string): string =>
    `[${path.replace(/^(?:src|test)\//, '').replace(/(?:\.test)?\.ts$/, '')}](../${path})`;
  const list = (name: string, files: readonly string[]): readonly string[] =>
    files.length === 0 ? [] : [`${name}: ${files.map(link).join(', ')}.`];
  const all = [...paths].sort();
  return [
    ...list('Guarded by', all.filter(isTest)),
    ...list(
      'Also tried in',
      all.filter((path) => !isTest(path)),
    ),
  ];
}
