export function lastBytes(text: string, bound: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= bound) return text;
  let start = bytes.length - bound;
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start++; // In the middle of a character.
  return bytes.toString('utf8', start);
}
