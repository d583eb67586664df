/**
 * Of one part, in bytes. What a CLI's shell tool shows its model at once is about 10 KB in Codex
 * and 30 KB in Claude Code; a part fits into either with its heading.
 */
const partBytes = 8 * 1024;

/**
 * A body that is no longer than this is handed out in one piece: with its heading it fits into the
 * 16 KB of one call (rule 17).
 */
export const wholeBytes = 12 * 1024;

/** How much of a body goes out at once, where long ones go in parts. */
export function sizeAtOnce(body: string): number {
  const size = Buffer.byteLength(body);
  return size > wholeBytes ? partBytes : size;
}

/**
 * A body in parts, none of them longer than `bytes` of UTF-8: cut behind a line, or behind a
 * character where lines are long.
 */
export function cutParts(body: string, bytes = partBytes): readonly string[] {
  const whole = Buffer.from(body);
  const parts: string[] = [];
  for (let start = 0; start < whole.length; ) {
    const end = findCut(whole, start, bytes);
    parts.push(whole.toString('utf8', start, end));
    start = end;
  }
  return parts.length === 0 ? [''] : parts;
}

function findCut(whole: Buffer, start: number, bytes: number): number {
  if (whole.length - start <= bytes) return whole.length;
  const line = whole.lastIndexOf(0x0a, start + bytes - 1) + 1;
  // A line's end near the beginning would leave most of the part empty.
  if (line > start + bytes / 2) return line;
  let end = start + bytes;
  // Step back over continuation bytes (10xxxxxx) to the start of the character that does not fit.
  while (end > start + 1 && ((whole[end] ?? 0) & 0xc0) === 0x80) end--;
  return end;
}
