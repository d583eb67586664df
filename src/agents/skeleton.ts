import { confusables } from './confusables.ts';

/**
 * What a name looks like, so that two names that a person would take for one have the same:
 * compatible forms are one (NFKC), letters of all scripts that look alike are one (Unicode TR39),
 * and so are upper and lower case. For comparing alone; it is no name itself.
 *
 * TR39 maps letters as they stand, and only the result is made lower case: a Cyrillic В looks like
 * B, its lower case в like neither. What that brings forth may look like something else again, so
 * it is repeated until nothing changes.
 */
export function skeletonOf(name: string): string {
  let before = name;
  for (let round = 0; round < mostRounds; round++) {
    const plain = before.normalize('NFKC').normalize('NFD');
    const after = [...plain].map(lookOf).join('').normalize('NFD').toLowerCase();
    if (after === before) return after;
    before = after;
  }
  return before;
}

/**
 * Whether two names that are not the same look it. Names of ASCII alone are told apart exactly:
 * `w1` and `wl`, or `Lead` and `lead`, are a person's own choice, and nobody gets there by another
 * keyboard.
 */
export function areLookAlikes(one: string, other: string): boolean {
  if (one === other || (isAscii(one) && isAscii(other))) return false;
  return skeletonOf(one) === skeletonOf(other);
}

/** Of all that TR39 knows, three are needed. */
const mostRounds = 8;

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}

let looks: ReadonlyMap<string, string> | undefined;

/** Read with the first name that is compared: most commands compare none. */
function lookOf(character: string): string {
  looks ??= readTable();
  return looks.get(character) ?? character;
}

function readTable(): ReadonlyMap<string, string> {
  const table = new Map<string, string>();
  const words = confusables.trim().split(/[ \n]/);
  for (let at = 0; at < words.length; at += 2) {
    for (const who of words[at + 1] ?? '') table.set(who, words[at] ?? '');
  }
  return table;
}
