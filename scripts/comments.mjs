import { scanSource } from './scan-source.mjs';

/** Comments keep to so many columns, like code. */
export const maxColumns = 100;

/**
 * The lines on which a comment goes beyond the limit and could be broken.
 *
 * @param {string} text
 * @returns {{ line: number, text: string }[]}
 */
export function findLongComments(text) {
  return listComments(text).flatMap(({ start, end }) => {
    const first = text.lastIndexOf('\n', start - 1) + 1;
    const number = text.slice(0, first).split('\n').length;
    return text
      .slice(first, endOfLine(text, end))
      .split('\n')
      .map((line, index) => ({ line: number + index, text: line }))
      .filter(({ text: line }) => line.length > maxColumns && isBreakable(line));
  });
}

/**
 * The text with its long comments wrapped; code and strings stay as they are.
 *
 * @param {string} text
 * @returns {string}
 */
export function wrapComments(text) {
  let wrapped = text;
  for (const unit of groupComments(text).reverse()) {
    const lines = text.slice(unit.first, unit.end).split('\n');
    if (!lines.some((line) => line.length > maxColumns && isBreakable(line))) continue;
    wrapped = wrapped.slice(0, unit.first) + rewrite(text, unit) + wrapped.slice(unit.end);
  }
  return wrapped;
}

/** A directive for a tool must stay on its line; so must a word that is too long by itself. */
function isBreakable(line) {
  const [, rest = ''] = /^.*?(?:\/\/|\/\*\*?|^\s*\*)\s*(.*?)(?:\s*\*\/)?$/.exec(line) ?? [];
  return !/biome-ignore|@ts-|^\/ </.test(line) && /\S\s+\S/.test(rest);
}

function listComments(text) {
  return scanSource(text).filter(({ kind }) => kind === 'line' || kind === 'block');
}

/**
 * Comments that are wrapped together: a block, or lines that follow each other, with where their
 * first line begins.
 */
function groupComments(text) {
  const groups = [];
  for (const { kind, start, end } of listComments(text)) {
    const first = text.lastIndexOf('\n', start - 1) + 1;
    const indent = /^\s*/.exec(text.slice(first, start))?.[0] ?? '';
    const isAlone = indent.length === start - first;
    const last = groups.at(-1);
    const isNext = kind === 'line' && isAlone && last?.kind === 'line' && last.isAlone;
    if (isNext && last.indent === indent && last.end === first - 1) last.end = end;
    // Code goes on behind a block: nobody can move that by rote.
    else if (endOfLine(text, end) === end)
      groups.push({ kind, first, start, end, indent, isAlone });
  }
  return groups;
}

function rewrite(text, { kind, first, start, end, indent, isAlone }) {
  const before = text.slice(first, end);
  const width = maxColumns - indent.length - 3;
  if (kind === 'line') {
    const comment = text.slice(isAlone ? first : start, end);
    const lines = comment.split('\n').map((line) => line.replace(/^\s*\/\/ ?/, ''));
    const wrapped = wrapLines(lines, width).map((line) => `${indent}// ${line}`.trimEnd());
    // A comment behind code goes above it.
    return [...wrapped, ...(isAlone ? [] : [text.slice(first, start).trimEnd()])].join('\n');
  }
  const [, opener = '/*', inner = ''] = /^\s*(\/\*+)([\s\S]*?)\s*\*\/$/.exec(before) ?? [];
  const lines = inner.split('\n');
  if (!isAlone || lines.slice(1).some((line) => !/^\s*\*/.test(line))) return before;
  const bare = lines.map((line, at) => (at === 0 ? line.trim() : line.replace(/^\s*\* ?/, '')));
  if (bare[0] === '') bare.shift();
  const wrapped = wrapLines(bare, width).map((line) => `${indent} * ${line}`.trimEnd());
  return [`${indent}${opener}`, ...wrapped, `${indent} */`].join('\n');
}

/** Wraps the paragraphs and list entries that are too wide. Tables, drawings and samples stay. */
function wrapLines(lines, width) {
  const out = [];
  let paragraph = [];
  let hanging = 0;
  let isSample = false;
  const flush = () => {
    const isWide = paragraph.some((line) => line.length > width);
    out.push(...(isWide ? fill(paragraph, width, hanging) : paragraph));
    paragraph = [];
    hanging = 0;
  };
  for (const line of lines) {
    const marker = /^\s*(?:[-*•]|\d+[.)])\s+/.exec(line)?.[0];
    const indented = /^\s*/.exec(line)?.[0].length ?? 0;
    const isFence = line.trimStart().startsWith('```');
    if (isFence) isSample = !isSample;
    const goesOn = paragraph.length > 0 && indented === hanging && marker === undefined;
    const isFixed = isSample || isFence || line.trim() === '' || /^\s*\||\S {2,}\S/.test(line);
    if (isFixed || (indented > 0 && marker === undefined && !goesOn)) {
      flush();
      out.push(line);
    } else {
      if (!goesOn) flush();
      if (marker !== undefined) hanging = marker.length;
      paragraph.push(line);
    }
  }
  flush();
  return out;
}

function fill(paragraph, width, hanging) {
  const lead = /^\s*/.exec(paragraph[0] ?? '')?.[0] ?? '';
  const filled = [];
  let line = lead;
  for (const word of splitWords(paragraph.map((text) => text.trim()).join(' '))) {
    const isFirst = line.trim() === '';
    if (!isFirst && line.length + 1 + word.length > width) {
      filled.push(line);
      line = ' '.repeat(hanging) + word;
    } else line += isFirst ? word : ` ${word}`;
  }
  return [...filled, line];
}

/**
 * Short code in backticks and the number of a rule stay with their word; nothing that would begin a
 * list begins a line.
 */
function splitWords(text) {
  const words = text.match(/(?:`[^`]{1,40}`|\S)+/g) ?? [];
  return words.reduce((kept, word) => {
    const last = kept.at(-1);
    const isGlued =
      /^(?:[-*•–|]|\d+[.)]|@\S*)$/.test(word) ||
      (/\brules?$/i.test(last ?? '') && /^\d/.test(word));
    if (last !== undefined && isGlued) kept[kept.length - 1] = `${last} ${word}`;
    else kept.push(word);
    return kept;
  }, []);
}

function endOfLine(text, from) {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}
