import { readCitations } from './citations.ts';
import type { Rule } from './rule-book.ts';
import { findGuards, isTest } from './rule-guards.ts';
import type { Source } from './rule-sources.ts';

/** Where the rules and those who cite them disagree. */
export function checkRules(book: readonly Rule[], sources: readonly Source[]): readonly string[] {
  const guards = findGuards(sources);
  const usual = findGuards(leaveOutFull(sources));
  return [
    ...findGaps(book),
    ...book.flatMap((rule) => {
      const tests = [...(guards.get(rule.id) ?? [])].filter(isTest);
      const isGuarded = rule.status === 'built' || rule.status === 'partly planned';
      if (!isGuarded) return [];
      if (tests.length === 0) return [`${rule.id} is not planned, and no test names it`];
      const isUsual = [...(usual.get(rule.id) ?? [])].some(isTest);
      return isUsual ? [] : [`no test in \`npm test\` names ${rule.id}`];
    }),
    ...sources.flatMap((source) => checkSource(book, source)),
  ];
}

/** What `npm test` leaves to `npm run test:full`. */
function leaveOutFull(sources: readonly Source[]): readonly Source[] {
  const tagged = /(['`"])(?:(?!\1).)*\1(?=,\s*\{[^{}]*\btags: \['full'\])/g;
  return sources
    .filter(({ path }) => !path.endsWith('.full.test.ts'))
    .map(({ path, text }) => ({ path, text: text.replace(tagged, "''") }));
}

/** Numbers stay: none is left out, and none stands there twice. */
function findGaps(book: readonly Rule[]): readonly string[] {
  const ids = new Set(book.map(({ id }) => id));
  const twice = book.filter(({ id }, index) => book.findIndex((other) => other.id === id) < index);
  const missing = ['', 'E', 'D', 'B', 'O'].flatMap((letter) => {
    const own = [...ids].filter((id) => id.replace(/\d+/, '') === letter);
    const last = Math.max(0, ...own.map((id) => Number(id.slice(letter.length))));
    const all = Array.from({ length: last }, (_, index) => `${letter}${index + 1}`);
    return all.filter((id) => !ids.has(id));
  });
  return [
    ...twice.map(({ id }) => `${id} is written down twice`),
    ...missing.map((id) => `${id} is missing`),
  ];
}

function checkSource(book: readonly Rule[], { path, text }: Source): readonly string[] {
  const { found, unclear } = readCitations(text);
  const isCode = !path.endsWith('.md');
  const faults = found.flatMap(({ id, start }) => {
    const at = `${path}:${text.slice(0, start).split('\n').length}`;
    const rule = book.find((one) => one.id === id.replace(/[a-f]$/, ''));
    const part = rule?.parts.get(id);
    if (rule === undefined || (rule.id !== id && part === undefined)) {
      return [`${at} cites ${id}, which does not exist`];
    }
    const isFinal = rule.status === 'planned' || rule.status === 'withdrawn';
    const status = isFinal ? rule.status : (part ?? 'built');
    // Documents may speak of what is to come, and of what was.
    return isCode && status !== 'built' ? [`${at} cites ${id}, which is ${status}`] : [];
  });
  return [...faults, ...unclear.map((what) => `${path}, ${what}: write "rule 1" or "rules 1, 2"`)];
}
