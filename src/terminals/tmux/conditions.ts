/**
 * All that must hold for the whole to hold: an alternative, or anything else that is no
 * conjunction, stays one.
 */
export function splitAll(format: string): readonly string[] {
  const start = '#{&&:';
  if (!format.startsWith(start) || !format.endsWith('}')) return [format];
  const comma = findEnd(format, start.length, ',');
  if (comma === undefined) return [format];
  const [first, second] = [format.slice(start.length, comma), format.slice(comma + 1, -1)];
  return isWhole(second) ? [...splitAll(first), ...splitAll(second)] : [format];
}

/** Nothing stands behind it: `#{&&:a,b}` and `#{&&:a,b}c` end alike. */
function isWhole(format: string): boolean {
  const isClosed = findEnd(`${format}}`, 0, '}') === format.length;
  return isClosed && findEnd(format, 0, ',') === undefined;
}

/**
 * Where tmux itself finds the end of a part (`format_skip`, 3.3a to 3.8): a `#` and one of these
 * letters behind it are one letter, and `#{` opens a part. Undefined: there is none, or a part is
 * closed that nobody has opened.
 */
function findEnd(format: string, from: number, end: ',' | '}'): number | undefined {
  let depth = 0;
  for (let i = from; i < format.length; i++) {
    const letter = format[i];
    if (letter === '#' && ',#{}:'.includes(format[i + 1] ?? ' ')) {
      if (format[i + 1] === '{') depth++;
      i++;
      continue;
    }
    if (letter === end && depth === 0) return i;
    if (letter === '}' && --depth < 0) return undefined;
  }
  return undefined;
}
