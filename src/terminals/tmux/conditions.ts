/**
 * All that must hold for the whole to hold: an alternative, or anything else that is no
 * conjunction, stays one.
 */
export function splitAll(format: string): readonly string[] {
  const start = '#{&&:';
  if (!format.startsWith(start) || /#[,#}]/.test(format)) return [format];
  let depth = 0;
  for (let i = start.length; i < format.length - 1; i++) {
    if (format.startsWith('#{', i)) depth++;
    else if (format[i] === '}') depth--;
    else if (format[i] === ',' && depth === 0) {
      const [first, second] = [format.slice(start.length, i), format.slice(i + 1, -1)];
      return isWhole(second) ? [...splitAll(first), ...splitAll(second)] : [format];
    }
    if (depth < 0) return [format];
  }
  return [format];
}

/** Nothing stands behind it: `#{&&:a,b}` and `#{&&:a,b}c` end alike. */
function isWhole(format: string): boolean {
  let depth = 0;
  for (let i = 0; i < format.length; i++) {
    if (format.startsWith('#{', i)) depth++;
    else if (format[i] === '}') depth--;
    if (depth < 0 || (depth === 0 && format[i] === ',')) return false;
  }
  return depth === 0;
}
