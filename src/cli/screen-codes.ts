import { fstatSync } from 'node:fs';
import { createSecret } from '../shared/ids.ts';
import { isModelReading } from './reader.ts';

const colours = {
  bold: 1,
  dim: 2,
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  magenta: 35,
  cyan: 36,
};
export type Style = keyof typeof colours;
let isColoured: boolean | undefined;

/**
 * Colour as `wantsColour` has it. A model has no use for it, and a code could stand within a tag.
 */
export function paint(style: Style, text: string): string {
  // A character device is a terminal, or /dev/null, which does not mind. `isTTY` would load the
  // streams after all.
  isColoured ??=
    wantsColour(process.env, () => fstatSync(1).isCharacterDevice()) && !isModelReading();
  if (!isColoured) return text;
  return `${steer(`[${colours[style]}m`)}${text}${steer('[0m')}`;
}

/**
 * As Node.js itself decides it: FORCE_COLOR goes first (0 and false are no), then NO_COLOR, then
 * whether it is a terminal that knows colours. An empty variable is none.
 */
export function wantsColour(env: NodeJS.ProcessEnv, isTerminal: () => boolean): boolean {
  const forced = env['FORCE_COLOR'];
  if (forced) return !['0', 'false'].includes(forced);
  if (env['NO_COLOR'] || env['TERM'] === 'dumb') return false;
  return isTerminal();
}

/** What our own screens do with the cursor: up so many rows, to the first column, erase. */
export function steer(code: `[${number | ''}${'m' | 'A' | 'G' | 'H' | 'J' | 'K'}`): string {
  return `${readPassword()}${code};`;
}

/**
 * Puts the codes of `paint` and `steer` into a text whose control characters were all made visible
 * before: they stand in it under a password of this process, which nobody else's words can hold.
 */
export function putCodesIn(text: string): string {
  if (password === undefined || !text.includes(password)) return text;
  return text.replaceAll(new RegExp(`${password}(\\[\\d*[mAGHJK]);`, 'g'), '\u001b$1');
}

/** Made with the first colour: most commands print none. */
let password: string | undefined;

function readPassword(): string {
  password ??= createSecret('code');
  return password;
}
