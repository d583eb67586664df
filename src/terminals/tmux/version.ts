import { Fault } from '../../shared/fault.ts';
import { askVersion, type TmuxProgram } from './run-tmux.ts';

/** The oldest one that we have tried; control mode lacks what we need below it. */
const oldest = [3, 3] as const;

/** The version of the installed tmux, for example `3.3a`, or a Fault that says what to install. */
export async function requireTmux(place: TmuxProgram): Promise<string> {
  let said: string;
  try {
    said = (await askVersion(place)).stdout.trim();
  } catch (cause) {
    throw new Fault(
      'backend-missing',
      `The program "${place.tmux}" cannot be run (${(cause as NodeJS.ErrnoException).code}).`,
      'Install tmux 3.3a or newer and see that it is on the PATH.',
      { cause },
    );
  }
  const version = parseVersion(said);
  if (isTooOld(version)) {
    throw new Fault(
      'backend-too-old',
      `tmux is ${version || 'of an unknown version'}; signalbox needs 3.3a or newer.`,
      'Install a newer tmux, or put one before the old one on the PATH.',
    );
  }
  return version;
}

/** `tmux 3.3a` */
function parseVersion(said: string): string {
  return said.trim().replace(/^tmux\s+/, '');
}

/**
 * Whether a client and a server of these versions understand each other: the wire changed between
 * 3.5a and 3.6 (tried on 3.3a to 3.8).
 */
export function speaksAlike(one: string, other: string): boolean {
  return isBefore(one, wireChanged) === isBefore(other, wireChanged);
}

const wireChanged = [3, 6] as const;

/**
 * Below 3.7 a paste is what lies in the buffer, byte by byte; from then on tmux spells out what it
 * takes for unprintable.
 */
export function pastesRaw(version: string): boolean {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version) ?? [];
  return Number(major) === 3 && Number(minor) < 7;
}

/**
 * A version without a number (`master`, `openbsd-7.4`) is a build newer than any release we know to
 * be too old.
 */
export function isTooOld(version: string): boolean {
  return version === '' || isBefore(version, oldest);
}

function isBefore(version: string, [major, minor]: readonly [number, number]): boolean {
  const [, isMajor, isMinor] = /^(?:next-)?(\d+)\.(\d+)/.exec(version) ?? [];
  if (isMajor === undefined || isMinor === undefined) return false;
  return Number(isMajor) < major || (Number(isMajor) === major && Number(isMinor) < minor);
}
