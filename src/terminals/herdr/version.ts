import { Fault } from '../../shared/fault.ts';
import { type Json, textOf } from './wire.ts';

/** Studied from this one on. */
const oldestVersion = '0.6.8';

/** One server, as long as one set-up lasts. */
export interface ServerSight {
  readonly version: string;
  /**
   * Numbers panes anew when one closes: nothing is typed there. It has `agent.start{argv}` and no
   * layouts.
   */
  readonly isOld: boolean;
  /** Has no `session.snapshot`. */
  readonly isListed: boolean;
}

/** By its answer to a ping. */
export function requireVersion(pong: Json): ServerSight {
  const version = textOf(pong, 'version');
  if (isBefore(version, oldestVersion)) {
    throw new Fault(
      'backend-too-old',
      `herdr ${version || 'of an unknown version'} is too old; signalbox needs ${oldestVersion} or later.`,
      'Update herdr and restart its server, or keep terminals in tmux (`--terminal tmux`).',
    );
  }
  return { version, isOld: isBefore(version, '0.7.0'), isListed: isBefore(version, '0.7.2') };
}

/** What is not a version is before every one. */
export function isBefore(version: string, other: string): boolean {
  const [mine, theirs] = [parse(version), parse(other)];
  if (!mine || !theirs) return true;
  const at = mine.findIndex((part, i) => part !== theirs[i]);
  return at >= 0 && (mine[at] ?? 0) < (theirs[at] ?? 0);
}

function parse(version: string): readonly number[] | undefined {
  const [, ...parts] = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version) ?? [];
  return parts.length === 3 ? parts.map(Number) : undefined;
}
