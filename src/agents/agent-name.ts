import { Fault } from '../shared/fault.ts';
import { quote } from '../shared/quote.ts';
import { skeletonOf } from './skeleton.ts';

/**
 * Letters and digits of any script, then also dot, underscore and hyphen; nothing that a shell or a
 * terminal reads.
 */
export const nameForm = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]{0,63}$/u;
const reserved = ['user', 'self', 'signalbox'];
/** How ids begin: a name must not be taken for one. */
const idPrefixes = ['agt_', 'msg_'];

/** Names of agents and sessions. */
export function parseName(text: string, what: 'agent' | 'session'): string {
  const name = text.normalize('NFC');
  if (!nameForm.test(name) || /\p{Default_Ignorable_Code_Point}/u.test(name)) {
    throw new Fault(
      'invalid-input',
      `${quote(text)} is not a name for ${what === 'agent' ? 'an agent' : 'a session'}.`,
      'Use 1 to 64 letters, digits, dots, underscores and hyphens, beginning with a letter or digit.',
    );
  }
  if (what === 'agent') refuseReserved(name);
  return name;
}

/**
 * Whatever only looks like one, too: `usеr` with a Cyrillic е would be read as the user by people
 * and models alike.
 */
function refuseReserved(name: string): void {
  const meant = reserved.find((word) => looksLike(name, word, (a, b) => a === b));
  const prefix = idPrefixes.find((start) => looksLike(name, start, (a, b) => a.startsWith(b)));
  if (meant === undefined && prefix === undefined) return;
  const isItself = (meant ?? name).toLowerCase() === name.toLowerCase();
  throw new Fault(
    'name-reserved',
    isItself
      ? `The name "${name}" is reserved.`
      : `The name ${quote(name)} looks like "${meant}", which is reserved.`,
    'Choose another name.',
  );
}

/** In any case: a capital I looks like a small l, so both cases of both are compared. */
function looksLike(name: string, word: string, test: (a: string, b: string) => boolean): boolean {
  const looks = [name, name.toLowerCase()].map(skeletonOf);
  return [word, word.toUpperCase()]
    .map(skeletonOf)
    .some((like) => looks.some((look) => test(look, like)));
}

/** The candidate a person most likely meant, or undefined when none is near. */
export function closestName(wanted: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(wanted.toLowerCase(), candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Letters inserted, left out, replaced or swapped with their neighbour. */
function editDistance(a: string, b: string, bound: number): number {
  if (Math.abs(a.length - b.length) >= bound) return bound;
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? bound;
  for (let i = 1; i <= a.length; i++) {
    rows.push([i]);
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = i > 1 && j > 1 && isSwap ? at(i - 2, j - 2) + 1 : bound;
      rows[i]?.push(Math.min(replaced, at(i - 1, j) + 1, at(i, j - 1) + 1, swapped));
    }
  }
  return at(a.length, b.length);
}
