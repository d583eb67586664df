/**
 * A regular expression out of a file that a person wrote. It is matched against every row of every
 * screen, inside the daemon's only event loop, so one that may take for ever is refused when it is
 * read, not when it is too late. JavaScript's matcher backtracks: it tries, at worst, every way in
 * which the pattern can be laid over a row. That number is computed here, for a row of `longestRow`
 * characters, and bounded.
 */
export function compilePattern(source: string): CompiledPattern {
  if (source.length === 0) return { refused: 'it is empty' };
  if (source.length > longestPattern) {
    return { refused: `it has more than ${longestPattern} characters` };
  }
  let pattern: RegExp;
  try {
    pattern = new RegExp(source, 'u');
  } catch (error) {
    // Only what the source says can be wrong with it. "Invalid regular expression: /x(/u:
    // Unterminated group": the last part is the reason.
    const said = error instanceof Error ? error.message : String(error);
    return { refused: said.slice(said.lastIndexOf(': ') + 2).toLowerCase() };
  }
  if (/(?:^|[^\\])(?:\\\\)*\\[1-9k]/.test(source)) {
    return { refused: 'it refers back to an earlier group' };
  }
  return countWays(source) > mostWays
    ? {
        refused:
          'it could take too long: use fewer of * + {n,}, not one inside another, and begin with ^',
      }
    : { pattern };
}

export type CompiledPattern = { readonly pattern: RegExp } | { readonly refused: string };

const longestPattern = 200;

/**
 * Characters of a row that are matched: wider than terminals are, and short enough to be squared.
 */
export const longestRow = 300;

/**
 * About 5 ms of backtracking per row: two open repetitions behind `^`, one elsewhere, and small
 * change.
 */
const mostWays = longestRow ** 2 * 10;

/**
 * How a well-formed pattern can be laid over a row: the product along a sequence, the sum over
 * alternatives.
 */
function countWays(source: string): number {
  let at = 0;
  const ways = countAlternatives();
  // Only a pattern that is anchored in all its branches is tried at one place alone.
  return source.startsWith('^') && !hasBranch(source) ? ways : ways * longestRow;

  function countAlternatives(): number {
    let total = countSequence();
    while (source[at] === '|') {
      at++;
      total += countSequence();
    }
    return total;
  }

  function countSequence(): number {
    let product = 1;
    while (at < source.length && source[at] !== '|' && source[at] !== ')') {
      const inner = countAtom();
      product *= countRepeated(inner);
    }
    return product;
  }

  function countAtom(): number {
    const from = at;
    const character = source[at++];
    if (character === '[') at = endOfClass(source, from) + 1;
    if (character === '\\') at = endOfEscape(source, from) + 1;
    if (character !== '(') return 1;
    at += /^\?(?:<?[=!]|:|<\w+>)/.exec(source.slice(at))?.[0].length ?? 0;
    const inner = countAlternatives();
    at++;
    return inner;
  }

  function countRepeated(inner: number): number {
    const [repeat, least, comma, most] =
      /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(source.slice(at)) ?? [];
    if (repeat === undefined) return inner;
    at += repeat.length;
    if (repeat.startsWith('?')) return inner + 1;
    if (least !== undefined && (!comma || most)) {
      const times = Number(comma ? most : least);
      return (times - Number(least) + 1) * inner ** times;
    }
    return inner > 1 ? Number.POSITIVE_INFINITY : longestRow;
  }
}

/** At the top: `^a|b` is anchored in its first branch alone. */
function hasBranch(source: string): boolean {
  let depth = 0;
  for (let i = 0; i < source.length; i++) {
    if (source[i] === '\\') i = endOfEscape(source, i);
    else if (source[i] === '[') i = endOfClass(source, i);
    else if (source[i] === '(') depth++;
    else if (source[i] === ')') depth--;
    else if (source[i] === '|' && depth === 0) return true;
  }
  return false;
}

/** Of `\d`, `\u{…}`, `\p{…}`: the braces are no repetition. */
function endOfEscape(source: string, at: number): number {
  const hasBraces = /^\\[upP]\{/.test(source.slice(at, at + 3));
  return hasBraces ? source.indexOf('}', at) : at + 1;
}

function endOfClass(source: string, at: number): number {
  for (let i = at + 1; i < source.length; i++) {
    if (source[i] === '\\') i++;
    else if (source[i] === ']') return i;
  }
  return source.length;
}
