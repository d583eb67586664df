/** As much of a key event as decides what a terminal gets. */
export interface PressedKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly metaKey: boolean;
  /** An input method is at work: the key is its own. */
  readonly isComposing: boolean;
}

const esc = '\u001b';

/** As xterm sends them in its normal mode. */
const named: Readonly<Record<string, string>> = {
  Enter: '\r',
  Tab: '\t',
  Backspace: '\u007f',
  Escape: esc,
  ArrowUp: `${esc}[A`,
  ArrowDown: `${esc}[B`,
  ArrowRight: `${esc}[C`,
  ArrowLeft: `${esc}[D`,
  Home: `${esc}[H`,
  End: `${esc}[F`,
  Insert: `${esc}[2~`,
  Delete: `${esc}[3~`,
  PageUp: `${esc}[5~`,
  PageDown: `${esc}[6~`,
  F1: `${esc}OP`,
  F2: `${esc}OQ`,
  F3: `${esc}OR`,
  F4: `${esc}OS`,
};

const functionKeys = [15, 17, 18, 19, 20, 21, 23, 24];

/**
 * What a terminal gets for one key; undefined for what is the page's or the browser's own: letters,
 * which come as input events with dead keys and input methods done, and shortcuts with Meta.
 */
export function keyBytes(pressed: PressedKey): string | undefined {
  const { key, ctrlKey, altKey, shiftKey, metaKey, isComposing } = pressed;
  if (isComposing || metaKey || key === 'Process' || key === 'Dead') return undefined;
  if (key === 'Tab' && shiftKey) return `${esc}[Z`;
  const arrow = named[key];
  if (arrow !== undefined) return withModifiers(arrow, pressed);
  const [, number] = /^F(\d+)$/.exec(key) ?? [];
  const code = functionKeys[Number(number) - 5];
  if (code !== undefined) return `${esc}[${code}~`;
  if ([...key].length !== 1) return undefined;
  // AltGr is both, and writes a letter of its own.
  if (ctrlKey && !altKey) return controlOf(key);
  return altKey && !ctrlKey ? `${esc}${key}` : undefined;
}

function withModifiers(bytes: string, { ctrlKey, altKey, shiftKey, key }: PressedKey): string {
  const modifier = 1 + Number(shiftKey) + 2 * Number(altKey) + 4 * Number(ctrlKey);
  if (modifier === 1) return bytes;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it begins with one
  const [, letter] = /^\u001b\[([A-DHF])$/.exec(bytes) ?? [];
  if (letter !== undefined) return `${esc}[1;${modifier}${letter}`;
  return altKey && !key.startsWith('F') ? `${esc}${bytes}` : bytes;
}

/** `a` to `z` and the few signs that have one. */
function controlOf(key: string): string | undefined {
  if (/^[a-z]$/i.test(key)) return String.fromCharCode(key.toUpperCase().charCodeAt(0) - 64);
  const signs: Readonly<Record<string, string>> = {
    ' ': '\u0000',
    '@': '\u0000',
    '[': esc,
    '\\': '\u001c',
    ']': '\u001d',
    '^': '\u001e',
    _: '\u001f',
  };
  return signs[key];
}

/**
 * A paste as a terminal gets it. Control characters are dropped: a text that somebody copied from a
 * page must not press keys. Several lines go between the marks of a bracketed paste, so that a
 * composer takes them as text and sends nothing.
 */
export function pastedText(text: string): string {
  const lines = text.replaceAll(/\r\n?/g, '\n').replaceAll(controls, '');
  if (!lines.includes('\n')) return lines;
  return `${esc}[200~${lines.replaceAll('\n', '\r')}${esc}[201~`;
}

/** All but tab and newline. */
const controls = /(?![\t\n])\p{Cc}/gu;
