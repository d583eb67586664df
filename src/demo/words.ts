import { randomInt } from 'node:crypto';

const stems = [
  ...['amber', 'basil', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'hazel', 'indigo', 'jasper'],
  ...['kelp', 'lilac', 'maple', 'nutmeg', 'onyx', 'pearl', 'quartz', 'raven', 'saffron', 'topaz'],
];

/** A word that nobody but the program that made it can know until it has arrived. */
export function makeWord(): string {
  const word = `${stems[randomInt(stems.length)]}-${randomInt(1000, 10_000)}`;
  if (made.has(word)) return makeWord();
  made.add(word);
  return word;
}

/** Letters of one sender are told apart by their words. */
const made = new Set<string>();

/** A letter: its text, and the word by which it is told from all others. */
export function seal(text: string, word: string): string {
  return `${text} (word: ${word})`;
}

/** Undefined for what no program wrote: an exit, a turn that ended without an answer. */
export function wordIn(text: string): string | undefined {
  return /\(word: ([a-z]+-\d+)\)/.exec(text)?.[1];
}
