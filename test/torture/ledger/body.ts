/**
 * The body of a message, from its key and size alone: sender and observer make it each for
 * themselves, so that a single changed character shows. It begins with the key, by which a copy is
 * known before its sender has been answered.
 */
export function composeBody({ key, size }: { key: string; size: number }): string {
  const fill = fillings[Number.parseInt(key.slice(1), 10) % fillings.length] ?? 'x';
  const rest = size - key.length - 1;
  if (rest <= 0) return key;
  const filled = fill.repeat(Math.ceil(rest / fill.length)).slice(0, rest);
  // Half a surrogate pair at the cut is no valid text.
  return `${key} ${filled.replace(/[\ud800-\udbff]$/, '')}`;
}

export function readKey(body: string): string {
  return /^k\d+/.exec(body)?.[0] ?? '';
}

/**
 * Whatever a body may hold: several scripts, astral and combining characters, quotes, controls,
 * JSON, line ends.
 */
const fillings = [
  'The quick brown fox jumps over the lazy dog. ',
  'Größe, façade, naïve, 東京都, Ελλάδα, עברית, ',
  '😀🧪 e\u0301 \u{1f468}\u200d\u{1f469}\u200d\u{1f467} ',
  '{"messages":[{"id":"msg_0"}],"remaining":0}\n',
  'line\r\n\ttab "quote" \\back\\ $HOME `x` \' ; \u001b[31m\u0007\u0000 ',
  '\ufffd\ufeff\u2028\u202e ',
];
