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
  const version = said.replace(/^tmux\s+/, '');
  if (isTooOld(version)) {
    throw new Fault(
      'backend-too-old',
      `tmux is ${version || 'of an unknown version'}; signalbox needs 3.3a or newer.`,
      'Install a newer tmux, or put one before the old one on the PATH.',
    );
  }
  return version;
}

/** Below 3.7 a paste is what lies in the buffer, byte by byte; from then on tmux spells out what it takes for unprintable. */
export function pastesRaw(version: string): boolean {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version) ?? [];
  return Number(major) === 3 && Number(minor) < 7;
}

/** A version without a number (`master`, `openbsd-7.4`) is a build newer than any release we know to be too old. */
export function isTooOld(version: string): boolean {
  const [, major, minor] = /^(?:next-)?(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined || minor === undefined) return version === '';
  const [needMajor, needMinor] = oldest;
  return Number(major) < needMajor || (Number(major) === needMajor && Number(minor) < needMinor);
}
