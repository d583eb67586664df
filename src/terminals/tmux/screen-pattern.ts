import type { ScreenPattern } from '../writing.ts';

/**
 * A format that is the number of the first row that matches, and `0` where none does: tmux searches
 * the visible screen itself, so this can be part of the condition of a command that types. Tried on
 * 3.3a. Refuses what tmux would not look for as it is written.
 */
export function rowOf(pattern: ScreenPattern): string {
  const text = typeof pattern === 'string' ? pattern : pattern.regex;
  // An empty pattern is in every row.
  if (text === '' || /\p{Cc}/u.test(text)) throw refuse(text);
  return typeof pattern === 'string' ? `#{C:${asGlob(text)}}` : `#{C/r:${asRegex(text)}}`;
}

/** A format that is `1` where the pane's title matches, and `0` where it does not (3.3a). */
export function titleHas({ regex }: { readonly regex: string }): string {
  if (regex === '' || /\p{Cc}/u.test(regex)) throw refuse(regex);
  return `#{m/r:${asRegex(regex)},#{pane_title}}`;
}

/** tmux matches words with `fnmatch`. */
function asGlob(text: string): string {
  // tmux cuts blanks off the end of each row.
  if (text !== text.trimEnd()) throw refuse(text);
  return [...text].map((letter) => globs[letter] ?? letter).join('');
}

/**
 * A comma and a brace would end the format. In brackets of its own, a `#` is the beginning of no
 * format, style or shell's command, whatever follows it, and a `%` of no time of day.
 */
const globs: Readonly<Record<string, string>> = {
  '*': '\\*',
  '?': '\\?',
  '[': '\\[',
  '\\': '\\\\',
  ',': '#,',
  '}': '#}',
  '#': '[##]',
  '%': '[%]',
};

/** An expression that cannot be compiled matches nothing, and nobody would hear of it. */
function asRegex(text: string): string {
  if (/[#%]/.test(text)) throw refuse(text);
  new RegExp(text, 'u');
  return text.replaceAll(/[,}]/g, '#$&');
}

function refuse(text: string): RangeError {
  return new RangeError(`tmux cannot look for ${JSON.stringify(text)}`);
}
