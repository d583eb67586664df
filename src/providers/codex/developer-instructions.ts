import { homedir } from 'node:os';
import { join } from 'node:path';
import { readFileTextSync } from '../../shared/open-file.ts';

/**
 * What the user's own config.toml tells the model, which one given for a run would replace
 * (0.166.0): the two are joined. Empty when there is none; undefined when it cannot be read with
 * certainty, and then his stay in force alone.
 */
export function readDeveloperInstructions(
  env: Readonly<Record<string, string>>,
): string | undefined {
  const folder = env['CODEX_HOME'] || join(env['HOME'] || homedir(), '.codex');
  let config: string;
  try {
    config = readFileTextSync(join(folder, 'config.toml'));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? '' : undefined;
  }
  return findText(config);
}

/**
 * A value of the top level, found without reading all of TOML. A name that stands there more than
 * once, or inside another value, is not for us to judge.
 */
export function findText(config: string): string | undefined {
  const places = [...config.matchAll(/^[ \t]*["']?developer_instructions["']?[ \t]*=[ \t]*/gm)];
  if (places.length === 0) return /developer_instructions/.test(config) ? undefined : '';
  const [place] = places;
  if (!place || places.length > 1) return undefined;
  // Below a heading it would belong to a profile.
  if (/^[ \t]*\[/m.test(config.slice(0, place.index))) return undefined;
  const rest = config.slice(place.index + place[0].length);
  const raw = /^'''\r?\n?([\s\S]*?)'''(?!')/.exec(rest) ?? /^'(?!')([^'\n]*)'/.exec(rest);
  if (raw) return raw[1];
  const long = /^"""\r?\n?((?:\\[\s\S]|[^\\])*?)"""(?!")/.exec(rest);
  if (long) return readEscapes((long[1] ?? '').replace(/\\[ \t]*\r?\n\s*/g, ''));
  const short = /^"(?!")((?:\\.|[^"\\\n])*)"/.exec(rest);
  if (short) return readEscapes(short[1] ?? '');
  return /^(""|'')/.test(rest) ? '' : undefined;
}

/** Undefined when one of its escapes is none. */
function readEscapes(text: string): string | undefined {
  let isWhole = true;
  const plain = text.replace(
    /\\(?:u([\dA-Fa-f]{4})|U([\dA-Fa-f]{8})|([\s\S]))/g,
    (_, four?: string, eight?: string, letter?: string) => {
      const code = four ?? eight;
      if (code !== undefined) {
        const point = Number.parseInt(code, 16);
        if (point <= 0x10_ffff) return String.fromCodePoint(point);
      }
      const meant = escapes.get(letter ?? '');
      if (meant === undefined) isWhole = false;
      return meant ?? '';
    },
  );
  return isWhole ? plain : undefined;
}

const escapes = new Map([
  ['b', '\b'],
  ['t', '\t'],
  ['n', '\n'],
  ['f', '\f'],
  ['r', '\r'],
  ['e', '\u001b'],
  ['"', '"'],
  ['\\', '\\'],
]);
