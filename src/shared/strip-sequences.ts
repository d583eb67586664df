/**
 * Terminal output as plain text: colours, cursor motion, titles and other sequences are left out,
 * and lines that were written over by a carriage return keep what was written last. It does not
 * render: for a screen as it looks, ask for `output`.
 */
export function stripSequences(text: string): string {
  return text
    .replace(sequences, '')
    .replace(/\r+\n/g, '\n')
    .replace(/^.*\r(?=[^\n])/gm, '')
    .replaceAll('\r', '');
}

/**
 * OSC, DCS, SOS, PM and APC up to their end; CSI; two- and three-byte escapes. ECMA-48, and what
 * xterm adds.
 */
const sequences =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  /\u001b(?:[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\|$)|\[[0-?]*[ -/]*[@-~]|[ -/]+[0-~]|[0-Z\\-~])|\u0008|\u0007|[\u000e\u000f]/g;
