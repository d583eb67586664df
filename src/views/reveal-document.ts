import { reveal } from '../shared/reveal.ts';

/**
 * A document with all of its texts as they are shown: what hides in them stands there by its
 * number. Documents hold words of agents and of whoever writes to them, in more fields than anybody
 * remembers, so all of them go through here.
 */
export function revealDocument<T>(document: T): T {
  return revealAny(document) as T;
}

function revealAny(value: unknown): unknown {
  if (typeof value === 'string') return plain.test(value) ? value : reveal(value);
  if (Array.isArray(value)) return value.map(revealAny);
  if (typeof value !== 'object' || value === null) return value;
  const shown: Record<string, unknown> = {};
  for (const [key, one] of Object.entries(value)) shown[key] = revealAny(one);
  return shown;
}

/** Nearly all of them are. */
const plain = /^[ -~]*$/;
