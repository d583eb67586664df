/**
 * One word for tmux's command parser, whatever it holds. Inside double quotes tmux still reads `\`,
 * `"`, `$` and, at the start of a word, `~`; control characters go as octal, so that a command
 * stays one line. Held for 3,000 random strings on each of tmux 3.3a, 3.4, 3.5a, 3.6a, 3.7c and
 * 3.8.
 */
export function quote(text: string): string {
  // tmux keeps words as C strings: a NUL would silently cut the rest off.
  if (text.includes('\0')) throw new RangeError('tmux cannot be given a NUL character');
  const escaped = text
    .replace(/[\\"$]/g, '\\$&')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is escaped
    .replace(/[\x01-\x1f\x7f~]/g, (c) => `\\${c.charCodeAt(0).toString(8).padStart(3, '0')}`);
  return `"${escaped}"`;
}
