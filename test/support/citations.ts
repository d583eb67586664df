export interface Citation {
  /** As docs/rules.md numbers it: `14`, `42c`, `B4`. */
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

export interface Citations {
  readonly found: readonly Citation[];
  /** What looks like a citation but has no form that this reader knows, with its line. */
  readonly unclear: readonly string[];
}

/**
 * Every rule and requirement that a text cites: `rule 14`, `rule 42c`, `rules 4, 5 and 10`,
 * `rules 16–18`, `rule 9, O3`, `B5 to B12`, `rule: '4, 42d'`, `rules.md#rule-14`, and the first
 * cells of a Markdown table under the head `rule`. A comment may break between any two words of a
 * citation.
 */
export function readCitations(text: string): Citations {
  const found: Citation[] = [];
  const unclear: string[] = [];
  const take = (list: string, start: number): void => {
    const ids = list.split(between).flatMap(expand);
    for (const id of ids) found.push({ id, start, end: start + list.length });
  };
  for (const { 0: word, index } of text.matchAll(beginning)) {
    const start = index + word.length;
    const list = matchAt(listed, text, start);
    const isOne = /^rules?\b/i.exec(word)?.[0].length === 4 && !word.includes(':');
    const isClear = list !== '' && !(isOne && hasTwoNumbers(list)) && !isCutOff(text, start, list);
    if (isClear) take(list, start);
    else unclear.push(describe(text, index));
  }
  for (const { index } of text.matchAll(glued)) unclear.push(describe(text, index));
  for (const { 0: list, index } of text.matchAll(requirement)) take(list, index);
  for (const { 0: link, 1: id = '', index } of text.matchAll(anchor)) {
    take(
      id.replace(/^[edbo]/, (letter) => letter.toUpperCase()),
      index + link.length - id.length,
    );
  }
  for (const { list, start } of listRuleCells(text)) take(list, start);
  return { found, unclear };
}

/** A space, or the end of a line with what begins the next one of a comment or a quotation. */
const gap = '(?:[ \\t\\u00a0]*\\n[ \\t]*(?:/{2,}|\\*|--|#|>)?[ \\t]*|[ \\t\\u00a0]+)';
const item = '(?:[EDBO]?\\d+[a-f]?(?![\\w%]))';
const until = `(?:[–-]|${gap}to${gap})`;
const range = `${item}(?:${until}${item})?`;
const separator = `(?:,?${gap}(?:and|or)${gap}|,${gap}?)`;
const beginning = new RegExp(`\\brules?(?:${gap}|['"]?: ?['"])(?=[EDBO]?\\d)`, 'gi');
const listed = new RegExp(`${range}(?:${separator}${range})*`, 'y');
const requirement = new RegExp(
  `(?<![\\w%#[\\\\;.?-])[EDBO]\\d{1,2}(?![\\w%]|\\.\\d)(?:${until}[EDBO]\\d{1,2}(?![\\w%]))?`,
  'g',
);
/** Numbers that are stuck to their word, or named in a way that nobody here uses. */
const glued = new RegExp(
  `(?<!#)\\brules?(?:[-_#.]?|${gap}?(?:no\\.?|nr\\.?|numbers?|#)${gap}?)\\d`,
  'gi',
);
const anchor = /rules\.md#(?:rule-)?([edbo]?\d+)\b/g;
const between = new RegExp(separator);
/** What would go on with a list, if this reader knew it. */
const more = /^(?:\s*(?:through|until|till|[/&+—…]|\.{2,})\s*|[–-]\s*|\s+[–-]\s*)[EDBO]?\d/;

function expand(entry: string): readonly string[] {
  const [first = '', last] = entry.split(new RegExp(until));
  if (last === undefined) return [first];
  const letter = /^\D?/.exec(first)?.[0] ?? '';
  const [low, high] = [first, last].map((id) => Number(id.replaceAll(/\D/g, '')));
  const count = (high ?? 0) - (low ?? 0) + 1;
  return Array.from({ length: Math.max(count, 0) }, (_, n) => `${letter}${(low ?? 0) + n}`);
}

function hasTwoNumbers(list: string): boolean {
  return [...list.matchAll(/(?<![EDBO\d])\d+/g)].length > 1;
}

function isCutOff(text: string, start: number, list: string): boolean {
  return more.test(text.slice(start + list.length, start + list.length + 20));
}

function matchAt(expression: RegExp, text: string, at: number): string {
  expression.lastIndex = at;
  return expression.exec(text)?.[0] ?? '';
}

function describe(text: string, index: number): string {
  const line = text.slice(0, index).split('\n').length;
  return `line ${line}: "${text.slice(index, index + 30).split('\n')[0]}"`;
}

function* listRuleCells(
  text: string,
): Generator<{ readonly list: string; readonly start: number }> {
  let isUnder = false;
  for (const { 0: line, index } of text.matchAll(/^.*$/gm)) {
    isUnder = /^\| rules? +\|/.test(line) || (isUnder && line.startsWith('|'));
    const list = isUnder ? (/^\| (\d[\da-f, ]*?) +\|/.exec(line)?.[1] ?? '') : '';
    if (list !== '') yield { list, start: index + 2 };
  }
}
