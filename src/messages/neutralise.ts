import { escapeCharacter, escapeHidden, reveal, revealLine } from '../shared/reveal.ts';
import { foldLookAlikes } from './look-alikes.ts';

/**
 * Words of somebody else on their way to a model: nothing in them reads as a line of ours, proves
 * an attempt, or speaks as a CLI does (rules 7, 14, 47). Hidden characters are shown, and `·` is
 * put into what remains of a header, a fence, a mark, a tag of a CLI or its prompt, however it is
 * spaced and whatever look-alike letters and dashes it is made of. Said twice it stays the same.
 */
export function neutralise(text: string): string {
  const shown = reveal(text.replaceAll(/\r\n?/g, '\n'));
  return putAt(shown, findPlaces(shown), (character) => `·${character}`);
}

/**
 * The user's own words on their way to the user's agent: they may say what they like, but prove no
 * attempt and open no fence of ours (rules 7, 51f).
 */
export function breakMarks(text: string): string {
  return putAt(text, findPlaces(text, false, provingPatterns), (character) => `·${character}`);
}

/**
 * The same for a JSON text, by escapes: it is the same document, and whoever reads it as it stands
 * sees no such line.
 */
export function neutraliseJson(json: string): string {
  const escaped = escapeHidden(json);
  return putAt(escaped, findPlaces(escaped, true), escapeCharacter);
}

/** A name or a fact within a line of ours: it cannot begin another one. */
export function neutraliseLine(text: string): string {
  return revealLine(neutralise(text));
}

/** With every dash of a line of dashes, where the first alone would leave a shorter one. */
function findPlaces(
  text: string,
  withDashes = false,
  wanted: readonly RegExp[] = patterns,
): readonly number[] {
  const { folded, origins } = foldLookAlikes(text);
  const places = new Set<number>();
  for (const pattern of wanted) {
    for (const { indices } of folded.matchAll(pattern)) {
      const [at, end] = indices?.groups?.['here'] ?? [0, 0];
      const last = withDashes && folded[at] === '-' ? end : Math.min(end, at + 1);
      for (let i = at; i < last; i++) places.add(origins?.[i] ?? i);
    }
  }
  return [...places].sort((a, b) => a - b);
}

/** Writes what stands at each of these places in another way. */
function putAt(
  text: string,
  places: readonly number[],
  write: (character: string) => string,
): string {
  let written = '';
  let from = 0;
  for (const at of places) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    written += `${text.slice(from, at)}${write(character)}`;
    from = at + character.length;
  }
  return written + text.slice(from);
}

/** Within a line. */
const blank = String.raw`[^\S\n]`;
/** As the folding writes them: `i` and `1` are `l`, `0` is `o`. */
const tags = ['system-remlnder', 'hook_context', 'task-notlflcatlon', 'hook_prompt'];

const kinds = 'message|task|completlon|bounce|notlce';
/** As people and models name a message: `1` and `0` are letters here. */
const number = String.raw`[\dlo]{1,15}`;
/** A header's own words: a number, a kind and a sender; an id; the end of either. */
const header = String.raw`${number}${blank}+(?:${kinds})(?:${blank}*\(\w{1,20}\))?${blank}+from${blank}`;
const words = `(?:${header}|end${blank}+of${blank}+${number}|(?:end${blank}+of${blank}+)?msg_)`;

/**
 * Each names in `here` what the dot goes in front of. None of them takes more than linear time,
 * whatever it is given.
 */
const proving = [
  String.raw`<(?:\s*\/)?\s*(?<here>slgnal[\s_-]?box)`,
  // As long as what evidence takes for one: `benchmark_results` is a word.
  String.raw`mark(?<here>_)(?=\w{16})`,
];

const others = [
  // Three dashes at the beginning of a line, as a header has them.
  `^${blank}*(?<here>-(?:${blank}*-){2})`,
  // A header's words behind dashes, wherever they stand; `--only msg_1` is an option.
  String.raw`(?<![·\-])(?<here>-{2,})(?:${blank}*|${blank}+\w+${blank}+|(?<=---)\w+${blank}+)${words}`,
  // The same behind dashes with blanks between them: a reader that drops tabs sees two in a row.
  String.raw`-${blank}+(?<here>-)(?:${blank}*|${blank}+\w+${blank}+)${words}`,
  // The words alone, where a line of ours has them.
  `^${blank}*(?<here>${header})`,
  // As older versions wrote them: an id, a dot, a kind.
  String.raw`(?<!·)(?<here>msg_\w{1,60}${blank}*[·•∙⋅・]${blank}*(?:${kinds}))`,
  String.raw`<(?:\s*\/)?\s*(?<here>${tags.join('|')})`,
  // What a screen could take for the prompt of Claude Code, Codex, Copilot or Kimi.
  `^${blank}*(?<here>[❯›✨])`,
];

const provingPatterns = compile(proving);
const patterns = compile([...others, ...proving]);

function compile(sources: readonly string[]): readonly RegExp[] {
  return sources.map((source) => new RegExp(source, 'dgm'));
}
