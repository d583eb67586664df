import type { Command } from './command.ts';

/**
 * The commands that write exactly these bytes. Only inside a guard that asks whether the pane
 * lives: a paste into a dead one takes the server down (tmux 3.3a).
 */
export function sendKeys(pane: string, bytes: Buffer): readonly Command[] {
  const commands: Command[] = [];
  let start = 0;
  for (const { index, length } of plainRuns(bytes)) {
    commands.push(...asBytes(pane, bytes.subarray(start, index)));
    commands.push(...asText(pane, bytes.toString('utf8', index, index + length)));
    start = index + length;
  }
  commands.push(...asBytes(pane, bytes.subarray(start)));
  return commands;
}

/** Only inside such a guard, too. */
export function pressEnter(pane: string): readonly Command[] {
  return sendKeys(pane, Buffer.from('\r'));
}

/**
 * `-H` takes any byte and looks at no key table, but costs a word for each, and tmux's time for a
 * command grows with its square.
 */
const bytesPerCommand = 64;
/**
 * Printable ASCII, the Enter key's CR, and the UTF-8 of Latin letters, dashes, quotes and `…`, byte
 * by byte: a buffer keeps them as they are (tried on 3.3a; from 3.7 on a paste spells out what tmux
 * takes for unprintable, and these are not tried there). An envelope has three of them, and was
 * written in ten commands instead of four. Below 32 bytes a second command costs more than it
 * saves.
 */
const plain =
  '(?:[\\x20-\\x7e\\r]|\\xc2[\\xa1-\\xac\\xae-\\xbf]|\\xc3[\\x80-\\xbf]|\\xe2\\x80[\\x90-\\xa7])';
const plainRun = new RegExp(`${plain}{32,}`, 'g');
const plainPaste = new RegExp(`^\\x1b\\[200~${plain}*\\x1b\\[201~$`);

/** One bracketed paste of such text, and nothing else: one buffer holds it. */
export function isPlainPaste(bytes: Buffer): boolean {
  return plainPaste.test(bytes.toString('latin1'));
}

function plainRuns(bytes: Buffer): readonly { index: number; length: number }[] {
  const matches = bytes.toString('latin1').matchAll(plainRun);
  return [...matches].map((match) => ({ index: match.index, length: match[0].length }));
}

function asBytes(pane: string, bytes: Buffer): readonly Command[] {
  return pieces(bytes.toString('hex'), bytesPerCommand * 2).map(
    (hex): Command => ['send-keys', '-H', '-t', pane, ...(hex.match(/../g) ?? [])],
  );
}

/** By a buffer: `send-keys -l` takes them one by one. */
function asText(pane: string, text: string): readonly Command[] {
  return [
    ['set-buffer', '-b', buffer, '--', text],
    ['paste-buffer', '-r', '-d', '-b', buffer, '-t', pane],
  ];
}

/** Made, used and deleted in one step of the server: one is enough. */
const buffer = 'signalbox';
/** Of those that are made before they are used. */
export const preparedPrefix = 'signalbox-';

function pieces(text: string, size: number): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
    text.slice(i * size, (i + 1) * size),
  );
}
