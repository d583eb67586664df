/**
 * What is pasted, by name: each kind of text that Claude Code 2.1.325 treats in a way of its own.
 */
export function pastedTexts(): Readonly<Record<string, string>> {
  return {
    short: 'Please say how many tests there are.',
    '3 lines': lines(3),
    // From four lines or about 900 characters on it is folded: `[Pasted text #1 +4 lines]`.
    '5 lines': lines(5),
    '2 KB': sized(2048),
    '8 KB': sized(8192),
    'non-ASCII': 'Grüße, 数 🦀 «ёлка» – naïve café, ﷽ and a tail',
  };
}

function lines(count: number): string {
  return Array.from({ length: count }, (_, at) => `line ${at + 1} of ${count}, a few words`).join(
    '\n',
  );
}

/** So many bytes: lines with a number each, so that a lost or doubled part shows. */
function sized(bytes: number): string {
  let text = '';
  for (let at = 1; text.length < bytes; at++) text += `${at} words that fill a line of the text\n`;
  return `${text.slice(0, bytes - 4)}end.`;
}
