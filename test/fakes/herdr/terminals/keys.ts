import { ApiError } from '../wire/api-error.ts';

/**
 * The keys that herdr 0.8.0 knows by name. Home, End, PageUp, PageDown, Delete and Insert are not
 * among them: they are refused, and then nothing of the request is written.
 */
const named: Readonly<Record<string, string>> = {
  enter: '\r',
  return: '\r',
  esc: '\x1b',
  escape: '\x1b',
  tab: '\t',
  space: ' ',
  backspace: '\x7f',
  bs: '\x7f',
  up: '\x1b[A',
  down: '\x1b[B',
  right: '\x1b[C',
  left: '\x1b[D',
  minus: '-',
  comma: ',',
  period: '.',
  slash: '/',
  backslash: '\\',
  quote: "'",
  double_quote: '"',
  semicolon: ';',
  colon: ':',
  percent: '%',
  ampersand: '&',
  backtick: '`',
  plus: '+',
  f1: '\x1bOP',
  f2: '\x1bOQ',
  f3: '\x1bOR',
  f4: '\x1bOS',
  f5: '\x1b[15~',
  f6: '\x1b[17~',
  f7: '\x1b[18~',
  f8: '\x1b[19~',
  f9: '\x1b[20~',
  f10: '\x1b[21~',
  f11: '\x1b[23~',
  f12: '\x1b[24~',
};

/** All of them, or a refusal before anything is written. */
export function encodeKeys(keys: readonly string[]): Buffer {
  return Buffer.from(keys.map(encodeKey).join(''));
}

function encodeKey(key: string): string {
  if (/^c-c$/i.test(key)) return '\x03';
  const parts = key === '+' ? ['plus'] : key.split('+');
  const name = parts.at(-1) ?? '';
  const modifiers = parts.slice(0, -1).map((part) => part.toLowerCase());
  const known = modifiers.every((part) => /^(ctrl|control|alt|shift|cmd|super)$/.test(part));
  const plain = [...name].length === 1 ? name : named[name.toLowerCase()];
  if (!known || plain === undefined) throw new ApiError('invalid_key', `unsupported key ${key}`);
  const has = (...names: string[]) => modifiers.some((part) => names.includes(part));
  let bytes = plain;
  if (has('shift')) bytes = plain === '\t' ? '\x1b[Z' : plain.toUpperCase();
  if (has('ctrl', 'control')) bytes = String.fromCharCode(plain.toLowerCase().charCodeAt(0) & 0x1f);
  return has('alt') ? `\x1b${bytes}` : bytes;
}
