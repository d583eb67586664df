import { asObject } from '../shared/json.ts';
import type { Decision } from './questions.ts';

/** A name and what it is; one without a value is left out. */
export type Fact = readonly [name: string, value: unknown];

interface Told {
  readonly text: string;
  /** What cannot be shown whole can be refused, and never allowed. */
  readonly decisions: readonly Decision[];
}

/** More than any person reads before a yes; a longer text goes to the terminal. */
const mostChars = 64 * 1024;
/** A model may nest its input as deep as it likes. */
const deepest = 4;

/**
 * The text of a question: one fact a line. What a value says on further lines, and all that is
 * inside an input, begins with blanks, so that no command can write a line that looks like a fact
 * of the CLI's.
 */
export function tellFacts(facts: readonly Fact[]): Told {
  const lines = facts.flatMap(([name, value]) =>
    value === undefined || value === null || value === '' ? [] : writeFact(name, value, 0),
  );
  const text = lines.join('\n');
  if (text.length <= mostChars) return { text, decisions: ['allow', 'deny'] };
  const kept = text.slice(0, mostChars).replace(/[\uD800-\uDBFF]$/, '');
  const more = text.length - kept.length;
  return { text: `${kept}\n${explainCut(more)}`, decisions: ['deny'] };
}

function explainCut(chars: number): string {
  return `(cut: ${chars} more characters, which only the terminal shows; so it cannot be allowed here)`;
}

function writeFact(name: string, value: unknown, depth: number): readonly string[] {
  const begin = `${blanks(depth)}${/^[\w.-]+$/.test(name) ? name : JSON.stringify(name)}:`;
  const isNested = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (isNested && depth < deepest && Object.keys(value).length > 0) {
    const inner = Object.entries(asObject(value));
    return [begin, ...inner.flatMap(([key, each]) => writeFact(key, each, depth + 1))];
  }
  const [first = '', ...rest] = writeValue(value).split(lineEnds);
  return [`${begin} ${first}`, ...rest.map((line) => `${blanks(depth + 1)}${line}`)];
}

function blanks(depth: number): string {
  return '  '.repeat(depth);
}

/** All that a terminal or an editor may begin a new line at. */
const lineEnds = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

function writeValue(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    // Nested deeper than the stack: nobody can read that, and it is as long as it is deep.
    return '?'.repeat(mostChars);
  }
}
