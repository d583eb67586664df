/** A table of this many cells takes some 50 ms; what is longer is shown as a whole. */
const mostCells = 4_000_000;

/**
 * What became of a text, line by line: `-` is gone, `+` is new, a space before what stayed.
 * Stretches that stayed are shortened.
 */
export function diffLines(before: string, after: string): readonly string[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  const isSame = (n: number): boolean => a[a.length - n] === b[b.length - n];
  while (end < a.length - start && end < b.length - start && isSame(end + 1)) end++;
  const middle = compare(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const stayed = (lines: readonly string[]): readonly string[] => lines.map((line) => ` ${line}`);
  return shorten([...stayed(a.slice(0, start)), ...middle, ...stayed(a.slice(a.length - end))]);
}

function compare(a: readonly string[], b: readonly string[]): readonly string[] {
  if (a.length * b.length > mostCells) {
    return [...a.map((line) => `-${line}`), ...b.map((line) => `+${line}`)];
  }
  // How many lines the rests have in common, from the end.
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] =
        a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push(` ${a[i]}`);
      i++;
      j++;
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) {
      lines.push(`-${a[i++]}`);
    } else lines.push(`+${b[j++]}`);
  }
  return lines;
}

/** Two lines around each change. */
function shorten(lines: readonly string[]): readonly string[] {
  const isNear = (at: number): boolean =>
    lines.slice(Math.max(0, at - 2), at + 3).some((line) => !line.startsWith(' '));
  const kept: string[] = [];
  for (const [at, line] of lines.entries()) {
    if (isNear(at)) kept.push(line);
    else if (kept.at(-1) !== ' …') kept.push(' …');
  }
  return kept;
}
